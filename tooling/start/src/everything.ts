import { readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Child, startChild } from '@augury/testing/child-process'
import { freePort } from '@augury/testing/free-port'
import { temporaryFolder } from '@augury/testing/temporary-folder'
import { OWN_CATALOGUE, removeData } from './data-folder.ts'

/** Everything that `npm start` starts, on ports and data of its own. */
export interface Everything {
  /** The settings of its programs, for other programs that have to find them. */
  settings: Record<string, string>
  child: Child
  /** Its Node programs by name: the starter, and those of the repository. */
  programs(): { name: string; pid: number }[]
  /** Stops it and removes its data. */
  stop(): Promise<void>
}

/**
 * Starts it with an empty data folder and waits until it is ready. None of this process's own settings reach it. `catalogue`: what it imports
 * instead of the shipped catalogue, as text.
 */
export async function startEverything(
  root: string,
  name: string,
  more: Record<string, string> = {},
  catalogue?: string,
): Promise<Everything> {
  const dataDir = temporaryFolder(name)
  if (catalogue !== undefined) writeFileSync(join(dataDir, OWN_CATALOGUE), catalogue)
  const ports = ['WEB_PORT', 'CLOB_PORT', 'STANDBY_PORT', 'WORKER_PORT', 'SETTLER_PORT', 'PG_PORT', 'ANVIL_PORT'].map(
    async (port) => [port, String(await freePort())] as const,
  )
  const settings = { ...Object.fromEntries(await Promise.all(ports)), DATA_DIR: dataDir, ...more }
  const child = startChild('node', [join(root, 'tooling/start/run.mjs'), 'start'], { cwd: root, env: { ...inherited(), ...settings } })
  const stop = async () => {
    await child.stop()
    removeData(dataDir)
    rmSync(join(dataDir, OWN_CATALOGUE), { force: true })
  }
  try {
    await child.waitFor(/^Ready in .*$/m)
  } catch (error) {
    await stop()
    throw error
  }
  return { settings, child, programs: () => programs(root, `DATA_DIR=${dataDir}`), stop }
}

/** Node processes that have this in their environment, each named after its folder. */
function programs(root: string, setting: string): { name: string; pid: number }[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const ours = readFileSync(`/proc/${name}/environ`, 'utf8').split('\0').includes(setting)
      if (!ours || !/^node\0/.test(readFileSync(`/proc/${name}/cmdline`, 'utf8'))) return []
      const folder = readlinkSync(`/proc/${name}/cwd`)
      return [{ name: folder === root ? 'start' : basename(folder), pid: Number(name) }]
    } catch {
      return [] // ended, or not ours to read
    }
  })
}

/** What the programs need of our environment; no settings of ours, so that tests are the same everywhere. */
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
