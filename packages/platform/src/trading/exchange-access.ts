import { createApiKey } from '@augury/client/api-key'
import { type VenueClient, venueClient } from '@augury/client/rest'
import type { ApiKey } from '@augury/signing/request-signer'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type Operator, operatorClient } from '../operator-client.ts'

/** Nonce of the wallet's second key, which may move money; the first is for operator work. */
const TREASURY_NONCE = 2n
/** Timeout of a call for a member, in milliseconds. Three attempts end before a browser gives up, so that the member gets an answer. */
const MEMBER_TIMEOUT_MS = 4_000

/** A caller that may follow other accounts. */
export interface Watcher {
  apiKey: ApiKey
  exchange: VenueClient
}

/** The deployment's clients of the exchange, one per role. */
export interface ExchangeAccess {
  /** Address of the deployment's own wallet, with its checksum. */
  readonly operatorAddress: Hex
  /** Without credentials. */
  readonly anybody: VenueClient
  /** As the deployment's own wallet. The first call creates the key; a new one is created once the exchange no longer accepts it. */
  operator(): Promise<Operator>
  /** As the deployment's own wallet where it may move money: refused unless the exchange lists it among its managers. */
  treasury(): Promise<VenueClient>
  /**
   * For bulk reads: as the deployment's own wallet, which is exempt from rate limits as a manager. Without credentials where it is no
   * manager, or while the exchange does not answer.
   */
  reader(): Promise<VenueClient>
  /** To follow accounts of members: as the deployment's own wallet where that is allowed. Asked anew each time. */
  watcher(): Promise<Watcher>
  /** As the owner of a key. */
  as(apiKey: ApiKey): VenueClient
}

/** The exchange's URL, the host it is signed for where that is another, and the deployment's wallet. */
interface Reached {
  clobUrl: string
  publicClobUrl?: string
  platformWalletKey: Hex
}

/** Creates the clients. Nothing is sent to the exchange before the first call. */
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
