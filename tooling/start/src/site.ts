import { join } from 'node:path'
import { runTool } from './tool.ts'

/** Builds the site, or takes what an earlier build of the same sources left. Resolves with which of the two. Throws with the end of the log. */
export async function buildSite(root: string, logs: string): Promise<string> {
  const command: [string, ...string[]] = ['turbo', 'run', 'build', '--filter=@augury/web', '--ui=stream', '--log-order=stream']
  const { code, output } = await runTool({ name: 'build', command, cwd: root }, logs)
  if (code !== 0)
    throw new Error(
      `The site could not be built (all of it: ${join(logs, 'build.log')}):\n${output.trimEnd().split('\n').slice(-30).join('\n')}`,
    )
  return /(\d+) cached, \1 total/.test(output) ? 'unchanged' : 'built'
}
