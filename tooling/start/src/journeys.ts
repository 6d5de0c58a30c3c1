import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { startChild } from '@augury/testing/child-process'
import { freePort } from '@augury/testing/free-port'
import { temporaryFolder } from '@augury/testing/temporary-folder'
import { removeData } from './data-folder.ts'
import { type Tally, tallyOfPlaywright } from './tally.ts'
import { runTool } from './tool.ts'

/**
 * The journeys of a real browser through everything that `npm start` starts: on ports and data of its own, from an empty data folder.
 * The journeys read the same settings, so they find it.
 */
export async function runJourneys(root: string, logs: string): Promise<Tally> {
  const dataDir = temporaryFolder('journeys')
  const ports = ['WEB_PORT', 'CLOB_PORT', 'WORKER_PORT', 'PG_PORT'].map(async (name) => [name, String(await freePort())] as const)
  const settings = { ...Object.fromEntries(await Promise.all(ports)), DATA_DIR: dataDir }
  const everything = startChild('node', [join(root, 'tooling/start/run.mjs'), 'start'], { cwd: root, env: { ...inherited(), ...settings } })
  try {
    await everything.waitFor(/^Ready in .*$/m)
    const report = join(logs, 'journeys.json')
    rmSync(report, { force: true })
    const run = await runTool(
      {
        name: 'journeys',
        command: ['playwright', 'test', '--reporter=list,json'],
        cwd: join(root, 'apps/web'),
        env: { ...settings, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
      },
      logs,
    )
    return tallyOfPlaywright(report, run)
  } catch (error) {
    return { passed: 0, failed: 1, failures: [`npm start for the journeys: ${error instanceof Error ? error.message : error}`] }
  } finally {
    await everything.stop()
    removeData(dataDir)
  }
}

/** What the programs need of our environment; no setting of ours, so that the tests are the same everywhere. */
function inherited(): Record<string, string> {
  const names = [
    'PATH',
    'HOME',
    'LANG',
    'TMPDIR',
    'NODE_EXTRA_CA_CERTS',
    'HTTP_PROXY',
    'HTTPS_PROXY',
    'NO_PROXY',
    'http_proxy',
    'https_proxy',
    'no_proxy',
  ]
  return Object.fromEntries(names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])))
}
