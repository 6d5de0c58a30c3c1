import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@augury/testing/free-port'
import { startEverything } from './everything.ts'
import { productionSettings } from './production.ts'
import { withQuietMarkets } from './quiet-markets.ts'
import { type Tally, tallyOfOne, tallyOfPlaywright } from './tally.ts'
import { runTool } from './tool.ts'

/** The journeys of a real browser through everything that `npm start` starts. They read the same settings, so they find it. */
export async function runJourneys(root: string, logs: string): Promise<Tally> {
  // External services that the journeys play themselves, at the addresses of the settings.
  const outside = async () => `http://127.0.0.1:${await freePort()}/api/v1`
  return run(root, logs, {
    name: 'journeys',
    settings: async () => ({
      OPENROUTER_URL: await outside(),
      SWAP_URL: await outside(),
      TRUSTED_PROXIES: '127.0.0.1,::1', // so that each member can have an address of their own
    }),
    config: 'playwright.config.ts',
    catalogue: withQuietMarkets(root),
  })
}

/** The journey of a new member through a deployment in production mode, with the settings that `deploy/make-env.sh` writes. */
export const runProductionJourney = (root: string, logs: string): Promise<Tally> =>
  run(root, logs, { name: 'production', settings: () => productionSettings(root), config: 'playwright.production.config.ts' })

interface Journeys {
  name: string
  settings: () => Promise<Record<string, string>>
  config: string
  catalogue?: string
}

async function run(root: string, logs: string, { name, settings, config, catalogue }: Journeys): Promise<Tally> {
  try {
    const everything = await startEverything(root, name, await settings(), catalogue)
    try {
      const report = join(logs, `${name}.json`)
      rmSync(report, { force: true })
      const command: [string, ...string[]] = ['playwright', 'test', '--config', config, '--reporter=list,json']
      const env = { ...everything.settings, PLAYWRIGHT_JSON_OUTPUT_NAME: report }
      return tallyOfPlaywright(report, await runTool({ name, command, cwd: join(root, 'apps/web'), env }, logs))
    } finally {
      await everything.stop()
    }
  } catch (error) {
    return tallyOfOne(`npm start for ${name}`, { code: 1, output: error instanceof Error ? error.message : String(error) })
  }
}
