import { createTradingKey, deriveApiKey } from '@augury/client/api-key'
import { venueClient } from '@augury/client/rest'
import type { SiteWallet } from './site-wallet.ts'

/** Creates and revokes API keys at the exchange, each with a signature of the wallet. Loaded on demand. */

/** A key of a wallet at an exchange. */
export interface KeyPlace {
  url: string
  chainId: number
  wallet: SiteWallet
  nonce: bigint
}

/** A new key with its secrets. */
export type MadeKey = Awaited<ReturnType<typeof createTradingKey>>

/** Creates a key. Its secrets are only returned to its wallet. Throws a `RefusedError`. */
export const makeKey = (place: KeyPlace, wish: { name: string; scope: 'read' | 'trade' }): Promise<MadeKey> =>
  createTradingKey({ ...place, ...wish })

/** Revokes a key, by a request signed with itself. Throws a `RefusedError`. */
export async function revokeKey(place: KeyPlace): Promise<void> {
  await venueClient({ url: place.url, apiKey: await deriveApiKey(place) }).deleteKey()
}
