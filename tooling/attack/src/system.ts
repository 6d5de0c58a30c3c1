import { join } from 'node:path'
import { startEverything } from '@augury/start/everything'
import type { Hex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import type { Places } from './people.ts'

/** Everything that `npm start` starts. */
export interface System {
  places: Places
  /** Its programs, those of Node only. */
  pids(): number[]
  stop(): Promise<void>
}

/** Nothing listens there, so that what an admin makes the site request reaches no other machine. */
const NOWHERE = 'http://127.0.0.1:9'

/**
 * Starts it on ports and data of its own. It trusts this machine as a proxy, so that one attacker can have many addresses. `admin` is the
 * key of its own wallet, which is then an admin of the site and operates the exchange.
 */
export async function startSystem(admin?: Hex): Promise<System> {
  const more = { TRUSTED_PROXIES: '127.0.0.1', LOG_LEVEL: 'error', OPENROUTER_URL: NOWHERE, SWAP_URL: NOWHERE }
  const owned = admin ? { ...more, PLATFORM_WALLET_KEY: admin, ADMIN_WALLETS: privateKeyToAddress(admin) } : more
  const { settings, programs, stop } = await startEverything(join(import.meta.dirname, '../../..'), 'attack', owned)
  const { WEB_PORT, CLOB_PORT } = settings
  return {
    places: { site: `http://localhost:${WEB_PORT}`, exchange: `http://localhost:${CLOB_PORT}` },
    pids: () => programs().map(({ pid }) => pid),
    stop,
  }
}
