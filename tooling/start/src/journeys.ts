import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@augury/testing/free-port'
import { startEverything } from './everything.ts'
import { type Tally, tallyOfOne, tallyOfPlaywright } from './tally.ts'
import { runTool } from './tool.ts'

/** The journeys of a real browser through everything that `npm start` starts. They read the same settings, so they find it. */
export async function runJourneys(root: string, logs: string): Promise<Tally> {
  try {
    // External services that the journeys play themselves, at the addresses of the settings.
    const outside = async () => `http://127.0.0.1:${await freePort()}/api/v1`
    const everything = await startEverything(root, 'journeys', {
      OPENROUTER_URL: await outside(),
      SWAP_URL: await outside(),
      TRUSTED_PROXIES: '127.0.0.1,::1', // so that each member can have an address of their own
    })
    try {
      const report = join(logs, 'journeys.json')
      rmSync(report, { force: true })
      const run = await runTool(
        {
          name: 'journeys',
          command: ['playwright', 'test', '--reporter=list,json'],
          cwd: join(root, 'apps/web'),
          env: { ...everything.settings, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
        },
        logs,
      )
      return tallyOfPlaywright(report, run)
    } finally {
      await everything.stop()
    }
  } catch (error) {
    return tallyOfOne('npm start for the journeys', { code: 1, output: error instanceof Error ? error.message : String(error) })
  }
}
