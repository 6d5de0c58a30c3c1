import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const CPUS: Partial<Record<NodeJS.Architecture, string>> = { x64: 'amd64', arm64: 'arm64' }

/**
 * Returns the path of a Foundry program for this platform, or null when npm has none. It is found without the package's own start script,
 * whose job is to download what npm has not installed.
 */
export function foundryBinary(name: 'anvil' | 'forge'): string | null {
  const platform = `@foundry-rs/${name}-${process.platform}-${CPUS[process.arch]}`
  try {
    const from = createRequire(createRequire(import.meta.url).resolve(`@foundry-rs/${name}/package.json`))
    const file = join(dirname(from.resolve(`${platform}/package.json`)), 'bin', name)
    return existsSync(file) ? file : null
  } catch {
    return null
  }
}
