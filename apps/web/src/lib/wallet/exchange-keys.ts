import { createApiKey, deriveApiKey } from '@augury/client/api-key'
import { venueClient } from '@augury/client/rest'
import type { SiteWallet } from './site-wallet.ts'

/** API keys of a wallet at the exchange: each asks the wallet. Loaded when somebody makes or ends one, and not before. */

/** Which key of which wallet, at the exchange's address and chain. */
export interface KeyPlace {
  url: string
  chainId: number
  wallet: SiteWallet
  nonce: bigint
}

/** A key with its secrets. */
export type MadeKey = Awaited<ReturnType<typeof createApiKey>>

/** Makes a key. Its secrets are answered to whoever signs for it, and shown nowhere else. Throws a `RefusedError`. */
export const makeKey = (place: KeyPlace, wish: { name: string; scope: 'read' | 'trade' }): Promise<MadeKey> =>
  createApiKey({ ...place, ...wish })

/** Ends a key for good, at once and everywhere: the key itself signs for it. Throws a `RefusedError`. */
export async function revokeKey(place: KeyPlace): Promise<void> {
  await venueClient({ url: place.url, apiKey: await deriveApiKey(place) }).deleteKey()
}
