import type { Duplex } from 'node:stream'
import type { Hex } from '@augury/engine/command'
import { CLOSE } from '@augury/wire/limits'
import type { WebSocket } from 'ws'
import { accountChanges } from '../../record/history/account-changes.ts'
import type { AppliedRow } from '../../record/log/applied-row.ts'
import { roleOf, type VenueStatus } from '../../record/venue.ts'
import type { Trader } from '../access/identity.ts'
import type { Keys } from '../access/keys.ts'
import { accountMessages } from '../views/account-messages.ts'
import { liveTrades, marketNews, userNews } from './compat-messages.ts'
import { type CompatReader, type Late, liveReader, marketReader, type ReaderSource, userReader } from './compat-readers.ts'
import { apart, repeated } from './contained.ts'
import { KnownMarkets } from './known-markets.ts'
import type { MarketChange } from './market-changes.ts'
import { OpenSockets } from './open-sockets.ts'
import { StreamSocket } from './socket.ts'

/** What the established streams depend on. */
export interface CompatStreamSource extends ReaderSource {
  /** The exchange's stream, which is part of transaction hashes. */
  venue: { stream: string }
  keys: Pick<Keys, 'find'>
  status(): Pick<VenueStatus, 'writer' | 'verified'>
  onBug(error: unknown): void
}

/**
 * Milliseconds between two pings. The established live-data client needs pings to stay connected and never answers them: its library counts
 * unanswered pings, hangs up after sixty and reconnects, losing what was sent meanwhile. So pings are rare.
 */
export const PING_MS = 20_000

/** Messages that a slow client gets later: no book makes up for them. */
const KEPT: ReadonlySet<string> = new Set(['new_market', 'market_resolved'])

/** Where to keep what a reader has to hear later; null when it hears everything now. */
const lateOf = ({ socket, late }: CompatReader): Late | null => (socket.slow ? late : null)

/** `/compat/ws/market`, `/compat/ws/user` and `/compat/live`: the established streams, without the sequence numbers that ours have. */
export class CompatStreams {
  readonly #source: CompatStreamSource
  readonly #readers = new Set<CompatReader>()
  readonly #known: KnownMarkets
  readonly #timer: NodeJS.Timeout
  #isReadingSite = false

  constructor(source: CompatStreamSource) {
    this.#source = source
    this.#known = new KnownMarkets(source)
    this.#timer = repeated(1000, source.onBug, this, () => {
      this.#check()
      void this.#tellSite()
    })
  }

  /** `/ws/market`. */
  readonly market = this.#stream((socket) => marketReader(socket, this.#source, this.#known))
  /** `/ws/user`. */
  readonly user = this.#stream((socket) => userReader(socket, this.#source))
  /** `/live`. */
  readonly live = this.#stream((socket) => liveReader(socket, this.#source, this.#known))

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

  /** After a fault in publishing: ends all sockets, so that no client goes on as if nothing was missed. */
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
      this.#known.forget(condition)
      return
    }
    // A reader of all markets gets only new markets and trades, so no book is made for it.
    const isNews = change.conditions.length > 0 || readers.some((reader) => reader.follows(condition))
    const news = isNews ? marketNews(this.#source, condition, change, this.#known.of(condition), row.at) : []
    if (!isNews) this.#known.renew(condition)
    const hasTape = readers.some(({ followsAll }) => followsAll)
    const trades = hasTape ? liveTrades(this.#source, this.#source.venue.stream, condition, change, row.at) : []
    for (const reader of readers) {
      const late = lateOf(reader)
      if (late) late.messages.push(...reader.marketMessages(news.filter(({ message }) => KEPT.has(message.event_type))))
      else for (const message of [...reader.marketMessages(news), ...reader.tradeMessages(trades)]) reader.socket.sendJson(message)
    }
  }

  /** Sends what is new on the site to those who asked for it. While the site does not answer they hear nothing. */
  async #tellSite(): Promise<void> {
    const { site } = this.#source
    if (!site || this.#isReadingSite) return
    this.#isReadingSite = true
    try {
      const topics = new Set([...this.#readers].flatMap((reader) => [...reader.topics()]))
      const messages = await site.read(topics)
      for (const reader of this.#readers) for (const frame of reader.siteMessages(messages)) reader.socket.sendJson(frame)
    } catch {
      // Asked again in a second.
    } finally {
      this.#isReadingSite = false
    }
  }

  /** The traders of a reader whose keys are alive: a revoked one hears nothing more from that moment on. */
  #heard(reader: CompatReader): Trader[] {
    return reader.traders().filter(({ key }) => this.#source.keys.find(key))
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
