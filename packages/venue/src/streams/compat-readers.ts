import type { Hex } from '@augury/engine/command'
import { compatMarketRequest, compatUserRequest, type HeldSecret, liveRequest } from '@augury/wire/compat-stream'
import { CLOSE, SOCKET_CONDITIONS } from '@augury/wire/limits'
import { ServiceError } from '@augury/wire/service-error'
import type { Trader } from '../access/identity.ts'
import type { CompatSource, MarketNews, UserNews } from './compat-messages.ts'
import { jsonOf, textFrame } from './frames.ts'
import type { KnownMarkets } from './known-markets.ts'
import { LiveFeed } from './live-feed.ts'
import { wholeBook } from './market-messages.ts'
import type { StreamSocket } from './socket.ts'

/** What readers depend on. */
export interface ReaderSource extends CompatSource {
  /** Verifies a login by its secrets. Throws a refusal. */
  verifySecrets(secrets: HeldSecret): Trader
}

/** What happened while a client was not reading. */
export interface Late {
  /** Conditions whose books changed. */
  conditions: Set<Hex>
  /** Messages that no book makes up for. */
  messages: unknown[]
}

/** One socket of an established stream: which messages of a row it gets, and what it does with what its client sends. */
export interface CompatReader {
  socket: StreamSocket
  /** The logged-in traders whose events it gets. */
  traders(): readonly Trader[]
  follows(condition: Hex): boolean
  /**
   * What its client has to hear once it reads again. Null where no books make up for what is left out: such a client is told everything
   * until it is cut off.
   */
  readonly late: Late | null
  /** Whether it may want messages of conditions it does not follow: new markets, trades. */
  followsAll: boolean
  /** Takes a text message of its client. */
  hear(text: string): void
  /** Called when a slow client has read everything. */
  caughtUp(): void
  /**
   * The messages to send for news of a market, for trades and for an event of a trader; none, or null, for what its client did not ask for.
   */
  marketMessages(news: readonly MarketNews[]): unknown[]
  tradeMessages(trades: readonly Record<string, unknown>[]): unknown[]
  userMessage(trader: Trader, message: UserNews): unknown | null
}

/** Receives nothing and says nothing: what every reader starts from. */
const silentReader = (socket: StreamSocket): CompatReader => ({
  socket,
  traders: () => [],
  follows: () => false,
  followsAll: false,
  hear: () => {},
  late: null,
  caughtUp: () => {},
  marketMessages: () => [],
  tradeMessages: () => [],
  userMessage: () => null,
})

/** `/ws/market`: books and prices of tokens, and with the custom features new and resolved markets. */
export function marketReader(socket: StreamSocket, source: ReaderSource, known: KnownMarkets): CompatReader {
  const assets = new Map<string, Hex>()
  let conditions: ReadonlySet<Hex> = new Set() // of `assets`; asked for every reader at every change
  const late: Late = { conditions: new Set(), messages: [] }
  let custom = false
  const dump = (ids: readonly string[]) =>
    [...new Set(ids)].flatMap((id) => {
      const token = known.token(id)
      return token ? [wholeBook(source, token.condition, token.outcome)] : []
    })
  const follow = (ids: readonly string[], isWithDump: boolean) => {
    for (const id of ids) {
      const token = known.token(id)
      if (token) assets.set(id, token.condition)
    }
    conditions = new Set(assets.values())
    if (conditions.size > SOCKET_CONDITIONS) return socket.close(CLOSE.tooManySubscriptions, 'too many markets')
    if (isWithDump) socket.sendJson(dump(ids))
  }
  return {
    ...silentReader(socket),
    follows: (condition) => conditions.has(condition),
    get followsAll() {
      return custom
    },
    hear: (text) => {
      const parsed = compatMarketRequest.safeParse(jsonOf(text))
      if (!parsed.success) return socket.write(textFrame('INVALID OPERATION'))
      const request = parsed.data
      custom = request.custom_feature_enabled ?? custom
      if (custom) known.trackAll()
      if (request.operation !== 'unsubscribe') follow(request.assets_ids, request.initial_dump !== false)
      else {
        for (const id of request.assets_ids) assets.delete(id)
        conditions = new Set(assets.values())
      }
    },
    marketMessages: (news) =>
      news.filter((one) => (custom || !one.custom) && (one.assets?.some((id) => assets.has(id)) ?? true)).map(({ message }) => message),
    late,
    caughtUp() {
      const changed = [...assets].filter(([, condition]) => late.conditions.has(condition)).map(([id]) => id)
      late.conditions.clear()
      if (changed.length > 0) socket.sendJson(dump(changed))
      for (const message of late.messages.splice(0)) socket.sendJson(message)
    },
  }
}

/** `/ws/user`: orders and trades of who logs in with a key, in some markets or all. */
export function userReader(socket: StreamSocket, source: ReaderSource): CompatReader {
  let trader: Trader | null = null
  let markets: Set<string> | null = new Set() // null follows all
  return {
    ...silentReader(socket),
    traders: () => (trader ? [trader] : []),
    hear: (text) => {
      const parsed = compatUserRequest.safeParse(jsonOf(text))
      if (!parsed.success) return socket.write(textFrame('INVALID OPERATION'))
      const request = parsed.data
      const { operation, markets: named } = request
      if ('auth' in request) trader = login(source, socket, request.auth)
      if (operation === 'unsubscribe') for (const id of named) markets?.delete(id)
      else if (named.length === 0) markets = null
      else if (operation === undefined) markets = new Set(named)
      else for (const id of named) markets?.add(id)
      if (markets && markets.size > SOCKET_CONDITIONS) socket.close(CLOSE.tooManySubscriptions, 'too many markets')
    },
    userMessage: (_, message) => (markets === null || markets.has(message.market) ? message : null),
  }
}

/** `/live`: any number of subscriptions to markets, to the tape of all trades, and to traders whose keys come with them. */
export function liveReader(socket: StreamSocket, source: ReaderSource, known: KnownMarkets): CompatReader {
  const feed = new LiveFeed()
  let hasAsked = false
  return {
    ...silentReader(socket),
    traders: () => feed.traders(),
    follows: (condition) => hasAsked && feed.wantsTokens(source.markets.tokensOf(condition)),
    get followsAll() {
      return hasAsked
    },
    hear: (text) => {
      const parsed = liveRequest.safeParse(jsonOf(text)) // a plain `ping` does not parse, and needs no answer
      if (!parsed.success) return
      const { action, subscriptions } = parsed.data
      // All markets are looked at once somebody asks, which is counted as their message; a socket by itself costs nothing.
      if (!hasAsked) known.trackAll()
      hasAsked = true
      for (const subscription of subscriptions) {
        const { topic, clob_auth } = subscription
        const trader = action === 'subscribe' && topic === 'clob_user' && clob_auth ? login(source, socket, clob_auth) : null
        if (action === 'unsubscribe') feed.unsubscribe(subscription, clob_auth?.apiKey.toLowerCase() || undefined)
        else if (topic === 'clob_user' && !trader) continue
        else if (!feed.subscribe(subscription, trader)) return socket.close(CLOSE.tooManySubscriptions, 'too many subscriptions')
      }
      feed.settle()
    },
    marketMessages: (news) => feed.marketFrames(news),
    tradeMessages: (trades) => feed.tradeFrames(trades),
    userMessage: (trader, message) =>
      feed.wantsUser(message.event_type, trader) ? feed.frame('clob_user', message.event_type, message) : null,
  }
}

/** The trader with these secrets; null when there is none, and then the socket is closed. */
function login(source: ReaderSource, socket: StreamSocket, secret: HeldSecret): Trader | null {
  try {
    return source.verifySecrets(secret)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    socket.close(error.status === 503 ? CLOSE.draining : CLOSE.unauthenticated, error.code)
    return null
  }
}
