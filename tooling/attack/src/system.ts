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
  const { settings, programs, stop } = await startEverything(join(import.meta.dirname, '../../..'), 'attack', more)
  const { WEB_PORT, CLOB_PORT } = settings
  return {
    places: { site: `http://localhost:${WEB_PORT}`, exchange: `http://localhost:${CLOB_PORT}` },
    pids: () => programs().map(({ pid }) => pid),
    stop,
  }
}
