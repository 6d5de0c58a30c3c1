import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startEverything } from '@augury/start/everything'
import type { Places } from './people.ts'

/** Everything that `npm start` starts. */
export interface System {
  places: Places
  /** Its programs, those of Node only. */
  pids(): number[]
  stop(): Promise<void>
}

/** Starts it on ports and data of its own. It trusts this machine as a proxy, so that one attacker can be many. */
export async function startSystem(): Promise<System> {
  const more = { TRUSTED_PROXIES: '127.0.0.1', LOG_LEVEL: 'error' }
  const { settings, stop } = await startEverything(join(import.meta.dirname, '../../..'), 'attack', more)
  const { WEB_PORT, CLOB_PORT, DATA_DIR } = settings
  return {
    places: { site: `http://localhost:${WEB_PORT}`, exchange: `http://localhost:${CLOB_PORT}` },
    pids: () => programs(`DATA_DIR=${DATA_DIR}`),
    stop,
  }
}

/** Processes of Node that have this in their environment. */
function programs(setting: string): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const ours = readFileSync(`/proc/${name}/environ`, 'utf8').split('\0').includes(setting)
      return ours && /^node\0/.test(readFileSync(`/proc/${name}/cmdline`, 'utf8')) ? [Number(name)] : []
    } catch {
      return [] // gone, or not ours to read
    }
  })
}
