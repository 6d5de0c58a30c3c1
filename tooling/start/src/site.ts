import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { runTool } from './tool.ts'

/** Builds the site, or reuses an earlier build of the same sources. Resolves with which of the two. Throws with the end of the log. */
export async function buildSite(root: string, logs: string): Promise<string> {
  // Without git, as in an archive, turbo searches every folder that packages lead to, without an end; nothing is cached then.
  const command: [string, ...string[]] = existsSync(join(root, '.git'))
    ? ['turbo', 'run', 'build', '--filter=@augury/web', '--ui=stream', '--log-order=stream']
    : ['pnpm', '--filter', '@augury/web...', 'run', 'build']
  const { code, output } = await runTool({ name: 'build', command, cwd: root }, logs)
  if (code !== 0)
    throw new Error(
      `The site could not be built (all of it: ${join(logs, 'build.log')}):\n${output.trimEnd().split('\n').slice(-30).join('\n')}`,
    )
  return /(\d+) cached, \1 total/.test(output) ? 'unchanged' : 'built'
}
