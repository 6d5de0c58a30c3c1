import { createApiKey } from '@augury/client/api-key'
import { type VenueClient, venueClient } from '@augury/client/rest'
import type { ApiKey } from '@augury/signing/request-signer'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type Operator, operatorClient } from '../operator-client.ts'

/** The wallet's key for moving money, beside its key for operator work. */
const TREASURY_NONCE = 2n
/** Milliseconds to wait for an answer to a member. Three attempts end before a browser gives up, so that it hears what is known. */
const MEMBER_TIMEOUT_MS = 4_000

/** Whoever may follow the accounts of others. */
export interface Watcher {
  apiKey: ApiKey
  exchange: VenueClient
}

/** The exchange as a deployment reaches it. */
export interface ExchangeAccess {
  /** Address of the deployment's own wallet, with its checksum. */
  readonly operatorAddress: Hex
  /** As anybody. */
  readonly anybody: VenueClient
  /** As its own wallet; the key is created by the first call. */
  operator(): Promise<Operator>
  /** As its own wallet where that may move money: refused unless the exchange counts it among those that manage it. */
  treasury(): Promise<VenueClient>
  /**
   * To read much: as its own wallet, which the exchange then asks for no budget. As anybody where the exchange does not count the wallet
   * among those that manage it, or does not answer now.
   */
  reader(): Promise<VenueClient>
  /** To follow accounts of members: as its own wallet where that may. Asked anew each time. */
  watcher(): Promise<Watcher>
  /** As the owner of a key. */
  as(apiKey: ApiKey): VenueClient
}

/** Where the exchange is, what it goes by where that is another address, and who asks. */
interface Reached {
  clobUrl: string
  publicClobUrl?: string
  platformWalletKey: Hex
}

/** Makes the access. Nothing is asked of the exchange before the first call. */
export function openExchange({ clobUrl, publicClobUrl = clobUrl, platformWalletKey }: Reached): ExchangeAccess {
  const { host } = new URL(publicClobUrl)
  const wallet = privateKeyToAccount(platformWalletKey)
  const anybody = venueClient({ url: clobUrl })
  const treasuryKey = () => createApiKey({ url: clobUrl, host, wallet, nonce: TREASURY_NONCE, scope: 'venue', name: 'treasury' })
  const privileged = once(async () => {
    const apiKey = await treasuryKey()
    await venueClient({ url: clobUrl, apiKey }).setAccount({ params: { address: wallet.address }, body: { tier: 'internal' } })
    return venueClient({ url: clobUrl, apiKey, signAll: true })
  })
  return {
    operatorAddress: wallet.address,
    anybody,
    reader: () => privileged().catch(() => anybody),
    operator: once(() => operatorClient({ url: clobUrl, publicUrl: publicClobUrl, walletKey: platformWalletKey })),
    treasury: once(async () => {
      const apiKey = await treasuryKey()
      // One attempt: what a second is refused, a first without an answer may still set aside.
      const { withdraw } = venueClient({ url: clobUrl, apiKey, retry: { attempts: 1, pauseMs: 0 } })
      return { ...venueClient({ url: clobUrl, apiKey }), withdraw }
    }),
    async watcher() {
      const apiKey = await treasuryKey()
      return { apiKey, exchange: venueClient({ url: clobUrl, apiKey }) }
    },
    as: (apiKey) => venueClient({ url: clobUrl, apiKey, timeoutMs: MEMBER_TIMEOUT_MS }),
  }
}

/** Remembers what `make` made. A failure is not kept. */
function once<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined
  return () => {
    made ??= make().catch((error) => {
      made = undefined
      throw error
    })
    return made
  }
}
