import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

/** Whether the packages bring Node 24 for a machine: npm has this release of Node for Linux x64 alone in a form that we can install. */
export const bringsNode = (platform, arch) => platform === 'linux' && arch === 'x64'

/**
 * Makes `node_modules/.bin/node` the Node that runs this, where the packages bring none. The package with Node for Linux x64 does not say
 * for which machine it is, so it is installed everywhere.
 * @param {string} root
 * @param {{ platform: string, arch: string, execPath: string }} machine
 */
export function useThisNode(root, { platform, arch, execPath } = process) {
  if (bringsNode(platform, arch)) return
  const path = join(root, 'node_modules', '.bin', 'node')
  rmSync(path, { force: true })
  symlinkSync(execPath, path)
}
