import { join } from 'node:path'
import { type Child, startChild } from '@augury/testing/child-process'
import { freePort } from '@augury/testing/free-port'
import { temporaryFolder } from '@augury/testing/temporary-folder'
import { removeData } from './data-folder.ts'

/** Everything that `npm start` starts, on ports and data of its own. */
export interface Everything {
  /** The settings that its programs read; whoever reads the same finds them. */
  settings: Record<string, string>
  child: Child
  /** Stops it and removes its data. */
  stop(): Promise<void>
}

/** Starts it from an empty data folder and waits until it is ready. Nothing of this process's own settings reaches it. */
export async function startEverything(root: string, name: string, more: Record<string, string> = {}): Promise<Everything> {
  const dataDir = temporaryFolder(name)
  const ports = ['WEB_PORT', 'CLOB_PORT', 'WORKER_PORT', 'PG_PORT'].map(async (port) => [port, String(await freePort())] as const)
  const settings = { ...Object.fromEntries(await Promise.all(ports)), DATA_DIR: dataDir, ...more }
  const child = startChild('node', [join(root, 'tooling/start/run.mjs'), 'start'], { cwd: root, env: { ...inherited(), ...settings } })
  const stop = async () => {
    await child.stop()
    removeData(dataDir)
  }
  try {
    await child.waitFor(/^Ready in .*$/m)
  } catch (error) {
    await stop()
    throw error
  }
  return { settings, child, stop }
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
