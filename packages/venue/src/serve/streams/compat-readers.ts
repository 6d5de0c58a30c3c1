import type { Hex } from '@augury/engine/command'
import { compatMarketRequest, compatUserRequest, type HeldSecret, type LiveSubscription, liveRequest } from '@augury/wire/compat-stream'
import { CLOSE, COMPAT_SOCKET_TOKENS, SOCKET_CONDITIONS } from '@augury/wire/limits'
import { ServiceError } from '@augury/wire/service-error'
import type { Trader } from '../access/identity.ts'
import type { CompatSource, MarketNews, UserNews } from './compat-messages.ts'
import { jsonOf, textFrame } from './frames.ts'
import type { KnownMarkets } from './known-markets.ts'
import { LiveFeed } from './live-feed.ts'
import { wrongLive } from './live-subscription.ts'
import { wholeBook } from './market-messages.ts'
import type { SiteMessage, SiteTopics } from './site-topics.ts'
import type { StreamSocket } from './socket.ts'
import { errorFrame, tooManyFrame, unknownFrame } from './told.ts'

/** What readers depend on. */
export interface ReaderSource extends CompatSource {
  /** Verifies a login by its secrets. Throws a refusal. */
  verifySecrets(secrets: HeldSecret): Trader
  /** What the site has for subscribers of its topics; null where the exchange knows no site. */
  site: SiteTopics | null
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
   * What its client has to hear once it reads again. Null where no books make up for what is left out: such a client gets every message
   * until it is disconnected.
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
  /** Topics of the site that it may have asked for, and what of their messages it has not heard. */
  topics(): ReadonlySet<string>
  siteMessages(messages: readonly SiteMessage[]): unknown[]
}

const NO_TOPICS: ReadonlySet<string> = new Set()

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
  topics: () => NO_TOPICS,
  siteMessages: () => [],
})

/** Books sent in one frame: what a slow client has not read is sent once it reads again. */
const BOOKS_AT_ONCE = 50

/** `/ws/market`: books and prices of tokens, and with the custom features new and resolved markets. */
export function marketReader(socket: StreamSocket, source: ReaderSource, known: KnownMarkets): CompatReader {
  const assets = new Map<string, Hex>()
  let conditions: ReadonlySet<Hex> = new Set() // of `assets`; asked for every reader at every change
  const late: Late = { conditions: new Set(), messages: [] }
  let custom = false
  const dump = (ids: readonly string[]) => {
    const wanted = [...new Set(ids)]
    do {
      const tokens = wanted.splice(0, BOOKS_AT_ONCE).flatMap((id) => known.token(id) ?? [])
      if (socket.slow) for (const { condition } of tokens) late.conditions.add(condition)
      else socket.sendJson(tokens.map(({ condition, outcome }) => wholeBook(source, condition, outcome)))
    } while (wanted.length > 0)
  }
  const follow = (ids: readonly string[], isWithDump: boolean) => {
    const [unknown, tooMany]: [string[], string[]] = [[], []]
    for (const id of ids) {
      const token = known.token(id)
      if (!token) unknown.push(id)
      else if (assets.size >= COMPAT_SOCKET_TOKENS && !assets.has(id)) tooMany.push(id)
      else assets.set(id, token.condition)
    }
    conditions = new Set(assets.values())
    if (isWithDump) dump(ids.filter((id) => assets.has(id)))
    acknowledge()
    if (unknown.length > 0) socket.sendJson(unknownFrame('assets_ids', unknown))
    if (tooMany.length > 0) socket.sendJson(tooManyFrame(COMPAT_SOCKET_TOKENS, 'tokens', tooMany))
    if (ids.length === 0 && assets.size === 0 && !custom) socket.sendJson(errorFrame('invalid_payload', NOTHING_ASKED))
  }
  const acknowledge = () => socket.sendJson({ event_type: 'subscribed', markets: [...conditions], assets_ids: [...assets.keys()] })
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
      if (request.operation !== 'unsubscribe') return follow(request.assets_ids, request.initial_dump !== false)
      for (const id of request.assets_ids) assets.delete(id)
      conditions = new Set(assets.values())
      acknowledge()
    },
    marketMessages: (news) =>
      news
        .filter((one) => (custom || !one.custom) && (one.isNews || one.assets?.some((id) => assets.has(id))))
        .map(({ message }) => message),
    late,
    caughtUp() {
      const changed = [...assets].filter(([, condition]) => late.conditions.has(condition)).map(([id]) => id)
      late.conditions.clear()
      if (changed.length > 0) dump(changed)
      for (const message of late.messages.splice(0)) socket.sendJson(message)
    },
  }
}

const NOTHING_ASKED = 'assets_ids names no token and custom_feature_enabled is not set, so nothing will be sent'
const CONDITION = /^0x[0-9a-f]{64}$/

/** `/ws/user`: orders and trades of who logs in with a key, in some markets or all. */
export function userReader(socket: StreamSocket, source: ReaderSource): CompatReader {
  let trader: Trader | null = null
  let markets: Set<string> | null = new Set() // null follows all
  const follow = (named: readonly string[], isFirst: boolean) => {
    if (isFirst) markets = new Set()
    const tooMany: string[] = []
    for (const id of named) {
      if (!markets || !CONDITION.test(id) || markets.has(id)) continue // one that looks like a condition may be registered later
      if (markets.size < SOCKET_CONDITIONS) markets.add(id)
      else tooMany.push(id)
    }
    acknowledge()
    const unknown = named.filter((id) => !source.markets.market(id))
    if (unknown.length > 0) socket.sendJson(unknownFrame('markets', unknown))
    if (tooMany.length > 0) socket.sendJson(tooManyFrame(SOCKET_CONDITIONS, 'markets', tooMany))
  }
  const acknowledge = () => socket.sendJson({ event_type: 'subscribed', markets: [...(markets ?? [])] })
  return {
    ...silentReader(socket),
    traders: () => (trader ? [trader] : []),
    hear: (text) => {
      const parsed = compatUserRequest.safeParse(jsonOf(text))
      if (!parsed.success) return socket.write(textFrame('INVALID OPERATION'))
      const request = parsed.data
      const { operation, markets: named } = request
      if ('auth' in request) trader = login(source, socket, request.auth)
      if (!trader) return 'auth' in request ? undefined : socket.sendJson(errorFrame('bad_headers', 'log in first'))
      if (operation === 'unsubscribe') for (const id of named) markets?.delete(id)
      else if (named.length > 0) return follow(named, operation === undefined)
      else markets = null
      acknowledge()
    },
    userMessage: (_, message) => (markets === null || markets.has(message.market) ? message : null),
  }
}

/** `/live`: any number of subscriptions to markets, to the tape of all trades, and to traders whose keys come with them. */
export function liveReader(socket: StreamSocket, source: ReaderSource, known: KnownMarkets): CompatReader {
  const feed = new LiveFeed()
  let hasAsked = false
  const subscribe = (subscription: LiveSubscription) => {
    const { topic, type, clob_auth } = subscription
    const wrong = wrongLive(subscription, (id) => Boolean(source.markets.token(id)), source.site !== null)
    if (wrong) socket.sendJson(wrong.frame)
    if (wrong?.isRefused) return
    const trader = topic === 'clob_user' && clob_auth ? login(source, socket, clob_auth) : null
    if (topic === 'clob_user' && !trader) return
    if (!feed.subscribe(subscription, trader)) socket.sendJson(errorFrame('too_many_subscriptions', undefined, { topic, type }))
  }
  return {
    ...silentReader(socket),
    traders: () => feed.traders(),
    follows: (condition) => hasAsked && feed.wantsTokens(source.markets.tokensOf(condition)),
    get followsAll() {
      return hasAsked
    },
    hear: (text) => {
      const value = jsonOf(text)
      if (value === undefined) return // a plain `ping` needs no answer
      const parsed = liveRequest.safeParse(value)
      if (!parsed.success) return socket.sendJson(errorFrame('unsupported', NO_LIVE_REQUEST))
      const { action, subscriptions } = parsed.data
      // All markets are walked on the first subscription, which counts as work of its message. An idle socket costs nothing.
      if (!hasAsked) known.trackAll()
      hasAsked = true
      for (const subscription of subscriptions) {
        if (action === 'subscribe') subscribe(subscription)
        else feed.unsubscribe(subscription, subscription.clob_auth?.apiKey.toLowerCase() || undefined)
      }
      feed.settle()
      socket.sendJson({ event_type: 'subscribed', payload: { subscriptions: feed.subscriptions() } })
    },
    marketMessages: (news) => feed.marketFrames(news),
    tradeMessages: (trades) => feed.tradeFrames(trades),
    topics: () => feed.topics(),
    siteMessages: (messages) => feed.siteFrames(messages),
    userMessage: (trader, message) =>
      feed.wantsUser(message.event_type, trader) ? feed.frame('clob_user', message.event_type, message) : null,
  }
}

const NO_LIVE_REQUEST = 'a request has an action, subscribe or unsubscribe, and up to 100 subscriptions, each with a topic and a type'

/** The trader with these secrets; null when there is none, and then the socket is closed. */
function login(source: ReaderSource, socket: StreamSocket, secret: HeldSecret): Trader | null {
  try {
    return source.verifySecrets(secret)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    socket.sendJson({ event_type: 'error', ...error.body() }) // some clients see no reason of a close
    socket.close(error.status === 503 ? CLOSE.draining : CLOSE.unauthenticated, error.code)
    return null
  }
}
