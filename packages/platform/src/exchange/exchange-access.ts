import type { Fetch } from '@augury/client/answer'
import { createApiKey } from '@augury/client/api-key'
import { type VenueClient, venueClient } from '@augury/client/rest'
import type { ClientOptions } from '@augury/client/transport'
import type { ApiKey } from '@augury/signing/request-signer'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type Operator, operatorClient } from './operator-client.ts'

/** Nonce of the wallet's second key, which may move money; the first is for operator work. */
const TREASURY_NONCE = 2n
/** Timeout of a call for a member, in milliseconds. Three attempts end before a browser gives up, so that the member gets an answer. */
const MEMBER_TIMEOUT_MS = 4_000
/**
 * Timeout of a call for admins and jobs, some of which call within a transaction: both attempts end before the database ends that
 * transaction.
 */
const OWN: Pick<ClientOptions, 'timeoutMs' | 'retry'> = { timeoutMs: 4_000, retry: { attempts: 2, pauseMs: 150 } }

/** For pages: after this time a page is rendered without data of the exchange. */
const PAGE: Pick<ClientOptions, 'timeoutMs' | 'retry'> = { timeoutMs: 1_500, retry: { attempts: 2, pauseMs: 50 } }
/** Milliseconds after which pages ask anew for the key that they read with. */
const KEY_AGAIN_MS = 10_000

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
  /** For pages, all of which have this deployment's address: like `reader`, but waits for no key, and not long for an answer. */
  pages(): VenueClient
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
  const treasuryKey = () => createApiKey({ ...OWN, url: clobUrl, host, wallet, nonce: TREASURY_NONCE, scope: 'venue', name: 'treasury' })
  const privileged = once(async (send) => {
    const apiKey = await treasuryKey()
    await venueClient({ ...OWN, url: clobUrl, apiKey }).setAccount({ params: { address: wallet.address }, body: { tier: 'internal' } })
    const signed = { url: clobUrl, apiKey, fetch: send, signAll: true }
    return { bulk: venueClient(signed), pages: venueClient({ ...signed, ...PAGE }) }
  })
  const unsigned = { bulk: anybody, pages: venueClient({ url: clobUrl, ...PAGE }) }
  const readers = () => privileged().catch(() => unsigned)
  let { pages } = unsigned
  let mayAsk = true
  const askForPages = async () => {
    mayAsk = false
    pages = (await readers()).pages
    setTimeout(() => (mayAsk = true), KEY_AGAIN_MS).unref()
  }
  return {
    operatorAddress: wallet.address,
    anybody,
    reader: async () => (await readers()).bulk,
    pages() {
      if (mayAsk) void askForPages()
      return pages
    },
    operator: once((send) => operatorClient({ ...OWN, url: clobUrl, publicUrl: publicClobUrl, walletKey: platformWalletKey, fetch: send })),
    treasury: once(async (send) => {
      const key = { ...OWN, url: clobUrl, apiKey: await treasuryKey(), fetch: send }
      // One attempt: when a retry is refused, the first attempt, whose answer was lost, may still have set the money aside.
      const { withdraw } = venueClient({ ...key, retry: { attempts: 1, pauseMs: 0 } })
      return { ...venueClient(key), withdraw }
    }),
    async watcher() {
      const apiKey = await treasuryKey()
      return { apiKey, exchange: venueClient({ ...OWN, url: clobUrl, apiKey }) }
    },
    as: (apiKey) => venueClient({ url: clobUrl, apiKey, timeoutMs: MEMBER_TIMEOUT_MS }),
  }
}

/**
 * Caches what `make` creates with a key, until the exchange rejects a call made with it: after the key's secret was changed, or its
 * database was restored, the next caller gets a new key. Failures are not cached.
 */
function once<Made>(make: (send: Fetch) => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined
  return () => {
    if (made) return made
    const making: Promise<Made> = make(async (input, init) => {
      const answer = await fetch(input, init)
      if (answer.status === 401 && made === making) made = undefined
      return answer
    }).catch((error) => {
      if (made === making) made = undefined
      throw error
    })
    made = making
    return making
  }
}
