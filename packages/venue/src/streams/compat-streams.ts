import type { Duplex } from 'node:stream'
import type { Hex } from '@augury/engine/command'
import { compatMarketRequest, compatUserRequest, type HeldSecret, liveRequest } from '@augury/wire/compat-stream'
import { CLOSE, SOCKET_CONDITIONS } from '@augury/wire/limits'
import { ServiceError } from '@augury/wire/service-error'
import type { WebSocket } from 'ws'
import type { Trader } from '../access/identity.ts'
import type { Keys } from '../access/keys.ts'
import { type AppliedRow, roleOf, type VenueStatus } from '../venue.ts'
import { accountChanges } from './account-changes.ts'
import { accountMessages } from './account-messages.ts'
import { bookMessage, type CompatSource, type Known, knownOf, liveTrades, marketNews, userNews } from './compat-messages.ts'
import { type CompatReader, type Late, silentReader } from './compat-reader.ts'
import { apart, repeated } from './contained.ts'
import { jsonOf, textFrame } from './frames.ts'
import { LiveFeed } from './live-feed.ts'
import type { MarketChange } from './market-changes.ts'
import { OpenSockets } from './open-sockets.ts'
import { StreamSocket } from './socket.ts'

/** What the established streams depend on. */
export interface CompatStreamSource extends CompatSource {
  /** The exchange's stream, which is part of transaction hashes. */
  venue: { stream: string }
  keys: Pick<Keys, 'find'>
  /** Verifies a login by its secrets. Throws a refusal. */
  verifySecrets(secrets: HeldSecret): Trader
  status(): Pick<VenueStatus, 'writer' | 'verified'>
  onBug(error: unknown): void
}

/**
 * Milliseconds between two pings. The established live-data client needs pings to stay connected and never answers them: its library counts
 * unanswered pings, hangs up after sixty and reconnects, losing what was sent meanwhile. So pings are rare.
 */
export const PING_MS = 20_000

/** Messages that a slow client is told later: no book makes up for them. */
const KEPT: ReadonlySet<string> = new Set(['new_market', 'market_resolved'])

/** Where to keep what a reader has to hear later; null when it hears everything now. */
const lateOf = ({ socket, late }: CompatReader): Late | null => (socket.slow ? late : null)

/** `/compat/ws/market`, `/compat/ws/user` and `/compat/live`: the established streams, without the sequence numbers that ours have. */
export class CompatStreams {
  readonly #source: CompatStreamSource
  readonly #readers = new Set<CompatReader>()
  readonly #known = new Map<Hex, Known>()
  readonly #timer: NodeJS.Timeout

  constructor(source: CompatStreamSource) {
    this.#source = source
    this.#timer = repeated(1000, source.onBug, this, () => this.#check())
  }

  /** `/ws/market`. */
  readonly market = this.#stream((socket) => this.#marketReader(socket))
  /** `/ws/user`. */
  readonly user = this.#stream((socket) => this.#userReader(socket))
  /** `/live`. */
  readonly live = this.#stream((socket) => this.#liveReader(socket))

  /** Sends what a row changed. `books` must already know of the row. */
  publish(row: AppliedRow, changes: ReadonlyMap<Hex, MarketChange>): void {
    if (this.#readers.size === 0) return
    for (const [condition, change] of changes) this.#publishMarket(row, condition, change)
    const traders = new Set([...this.#readers].flatMap((reader) => this.#heard(reader).map(({ account }) => account)))
    if (traders.size === 0) return
    const { exchange } = this.#source
    for (const change of accountChanges(row, exchange, (account) => traders.has(account))) {
      for (const message of accountMessages(change, this.#source).flatMap(userNews)) {
        for (const reader of this.#readers) {
          const own = this.#heard(reader).filter(({ account }) => account === change.account)
          const answer = own.map((trader) => reader.userMessage(trader, message)).find((one) => one !== null)
          if (answer) reader.socket.sendJson(answer)
        }
      }
    }
  }

  /** After a fault in publishing: ends all sockets, so that nobody goes on as if nothing was missed. */
  startOver(): void {
    this.#known.clear()
    for (const { socket } of this.#readers) socket.close(CLOSE.failed, 'failed')
  }

  /** Ends all sockets: this process stops. */
  close(): void {
    clearInterval(this.#timer)
    for (const { socket } of this.#readers) socket.close(CLOSE.draining, 'draining')
  }

  #publishMarket(row: AppliedRow, condition: Hex, change: MarketChange): void {
    const readers: CompatReader[] = []
    for (const reader of this.#readers) {
      if (!reader.followsAll && !reader.follows(condition)) continue
      const late = lateOf(reader)
      late?.conditions.add(condition)
      if (!late || change.conditions.length > 0) readers.push(reader)
    }
    if (readers.length === 0 || !this.#source.markets.market(condition)) {
      this.#known.delete(condition) // nobody gets this change, so what was last sent is outdated
      return
    }
    // Whoever follows all markets is told of new ones and of trades alone, so that no book is made for them.
    const isNews = change.conditions.length > 0 || readers.some((reader) => reader.follows(condition))
    const news = isNews ? marketNews(this.#source, condition, change, this.#knownOf(condition), row.at) : []
    if (!isNews) this.#known.set(condition, knownOf(this.#source, condition))
    const hasTape = readers.some(({ followsAll }) => followsAll)
    const trades = hasTape ? liveTrades(this.#source, this.#source.venue.stream, condition, change, row.at) : []
    for (const reader of readers) {
      const late = lateOf(reader)
      if (late) late.messages.push(...reader.marketMessages(news.filter(({ message }) => KEPT.has(message.event_type))))
      else for (const message of [...reader.marketMessages(news), ...reader.tradeMessages(trades)]) reader.socket.sendJson(message)
    }
  }

  /** The traders of a reader whose keys are alive: a revoked one hears nothing more from that moment on. */
  #heard(reader: CompatReader): Trader[] {
    return reader.traders().filter(({ key }) => this.#source.keys.find(key))
  }

  #knownOf(condition: Hex): Known {
    const known = this.#known.get(condition) ?? knownOf(this.#source, condition)
    this.#known.set(condition, known)
    return known
  }

  /** One of the three streams: accepts sockets and counts the open ones. */
  #stream(readerOf: (socket: StreamSocket) => CompatReader) {
    const sockets = new OpenSockets()
    return {
      get size() {
        return sockets.size
      },
      accept: (ws: WebSocket, raw: Duplex) => {
        const caughtUp = () => apart(this.#source.onBug, reader.socket, () => reader.caughtUp())
        const reader: CompatReader = readerOf(new StreamSocket(ws, raw, caughtUp))
        this.#readers.add(reader)
        sockets.serve(ws, reader.socket, PING_MS, { hear: (text) => reader.hear(text), gone: () => this.#readers.delete(reader) })
      },
    }
  }

  /** A registered token, whose condition is tracked from now on; null when there is none. */
  #token(id: string) {
    const token = this.#source.markets.token(id)
    if (!token || !this.#source.exchange.condition(token.condition)) return null
    this.#knownOf(token.condition)
    return token
  }

  /** Tracks every market from now on. */
  #knowAll(): void {
    const { markets, exchange } = this.#source
    for (const { condition } of markets.page(0, markets.count)) if (exchange.condition(condition)) this.#knownOf(condition)
  }

  #marketReader(socket: StreamSocket): CompatReader {
    const assets = new Map<string, Hex>()
    let conditions: ReadonlySet<Hex> = new Set() // of `assets`; asked for every reader at every change
    const late: Late = { conditions: new Set(), messages: [] }
    let custom = false
    const dump = (ids: readonly string[]) =>
      [...new Set(ids)].flatMap((id) => {
        const token = this.#token(id)
        return token ? [bookMessage(this.#source, token.condition, token.outcome)] : []
      })
    const follow = (ids: readonly string[], isWithDump: boolean) => {
      for (const id of ids) {
        const token = this.#token(id)
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
        if (custom) this.#knowAll()
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

  #userReader(socket: StreamSocket): CompatReader {
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
        if ('auth' in request) trader = this.#login(socket, request.auth)
        if (operation === 'unsubscribe') for (const id of named) markets?.delete(id)
        else if (named.length === 0) markets = null
        else if (operation === undefined) markets = new Set(named)
        else for (const id of named) markets?.add(id)
        if (markets && markets.size > SOCKET_CONDITIONS) socket.close(CLOSE.tooManySubscriptions, 'too many markets')
      },
      userMessage: (_, message) => (markets === null || markets.has(message.market) ? message : null),
    }
  }

  #liveReader(socket: StreamSocket): CompatReader {
    const feed = new LiveFeed()
    let hasAsked = false
    return {
      ...silentReader(socket),
      traders: () => feed.traders(),
      follows: (condition) => hasAsked && feed.wantsTokens(this.#source.markets.tokensOf(condition)),
      get followsAll() {
        return hasAsked
      },
      hear: (text) => {
        const parsed = liveRequest.safeParse(jsonOf(text)) // a plain `ping` does not parse, and needs no answer
        if (!parsed.success) return
        const { action, subscriptions } = parsed.data
        // All markets are looked at once somebody asks, which is counted as their message; a socket by itself costs nothing.
        if (!hasAsked) this.#knowAll()
        hasAsked = true
        for (const subscription of subscriptions) {
          const { topic, clob_auth } = subscription
          const trader = action === 'subscribe' && topic === 'clob_user' && clob_auth ? this.#login(socket, clob_auth) : null
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
  #login(socket: StreamSocket, secret: HeldSecret): Trader | null {
    try {
      return this.#source.verifySecrets(secret)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      socket.close(error.status === 503 ? CLOSE.draining : CLOSE.unauthenticated, error.code)
      return null
    }
  }

  /** Closes sockets that do not read or whose key was revoked, and private ones while the lease is not verified. */
  #check(): void {
    const maySpeak = roleOf(this.#source.status()) === 'primary'
    for (const { socket, traders } of this.#readers) {
      const keys = traders()
      if (keys.length > 0 && !maySpeak) socket.close(CLOSE.draining, 'not the writer')
      else if (keys.some(({ key }) => !this.#source.keys.find(key))) socket.close(CLOSE.unauthenticated, 'the key was revoked')
      else socket.check()
    }
  }
}
