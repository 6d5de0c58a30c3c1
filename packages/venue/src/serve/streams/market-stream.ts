import type { Duplex } from 'node:stream'
import type { Hex } from '@augury/engine/command'
import { CLOSE, HEARTBEAT_MS, SOCKET_CONDITIONS } from '@augury/wire/limits'
import { marketRequest } from '@augury/wire/market-stream'
import { ServiceError } from '@augury/wire/service-error'
import type { ResumePoint } from '@augury/wire/subscriptions'
import type { WebSocket } from 'ws'
import type { z } from 'zod'
import type { Token } from '../../base/books.ts'
import type { AppliedRow } from '../../record/log/applied-row.ts'
import { apart, repeated } from './contained.ts'
import { FanOut, type FrameReader } from './fan-out.ts'
import { findTokens, type MarketSelection } from './find-tokens.ts'
import { REPLAY_BYTES, requestOf, textFrame } from './frames.ts'
import type { MarketChange } from './market-changes.ts'
import { MarketChannels, type StreamSource } from './market-channels.ts'
import { OpenSockets } from './open-sockets.ts'
import type { Sink } from './sink.ts'
import { StreamSocket } from './socket.ts'
import { tooManyFrame } from './told.ts'
import type { View } from './view.ts'

/** A socket, and which tokens of which conditions it follows. */
interface Reader extends FrameReader {
  custom: boolean
  follows: Map<Hex, Set<0 | 1>>
  /** Announcements that came while it was slow. */
  late: Buffer[]
}

/** Milliseconds between two pings. */
const PING_MS = 20_000

/** `/ws/market`: every row of the log as one frame per condition, encoded once, for any number of sockets. */
export class MarketStream {
  readonly #source: StreamSource
  #channels: MarketChannels<Reader>
  readonly #readers = new Set<Reader>()
  readonly #timers: NodeJS.Timeout[]
  readonly #sockets = new OpenSockets()
  #fanOut: FanOut<Reader>

  constructor(source: StreamSource) {
    this.#source = source
    this.#channels = new MarketChannels(source)
    this.#fanOut = new FanOut(source.onBug)
    this.#timers = [
      repeated(HEARTBEAT_MS, source.onBug, this, () => this.#heartbeat()),
      repeated(1000, source.onBug, this, () => this.#check()),
    ]
  }

  /** Serves a socket whose upgrade is done; `raw` is the connection under it. */
  accept(ws: WebSocket, raw: Duplex): void {
    const reader = this.#join((onCaughtUp) => new StreamSocket(ws, raw, onCaughtUp))
    this.#sockets.serve(ws, reader.socket, PING_MS, { hear: (text) => this.#hear(reader, text), gone: () => this.#part(reader) })
  }

  /**
   * Follows a selection into the sink that `open` makes: first books, or what happened since the point `after`, then every change. The sink
   * calls the given function when it has caught up. Returns the function that ends it.
   */
  follow(open: (onCaughtUp: () => void) => Sink, wanted: MarketSelection, after?: ResumePoint): () => void {
    const reader = this.#join(open)
    reader.custom = wanted.custom_feature_enabled ?? false
    const { found, unknown } = findTokens(this.#source, wanted)
    this.#fanOut.settle()
    reader.socket.cork()
    this.#subscribe(reader, found, unknown, true, after)
    reader.socket.flush()
    return () => this.#part(reader)
  }

  /** Sends what a row changed, soon: the changes of several rows leave in one write per socket. `books` must already know of the row. */
  publish(row: AppliedRow, changes: Map<Hex, MarketChange>): void {
    this.#channels.publish(row, changes, (view, condition, frame) => this.#fanOut.add(view, condition, frame))
    this.#fanOut.request()
    const announcements = [...changes].flatMap(([condition, change]) => this.#channels.announcements(condition, change, row))
    if (announcements.length === 0) return
    this.#fanOut.settle() // an announcement has the position of its row: its reader then has everything up to there
    for (const { custom, socket, late, follows } of this.#readers) {
      if (!custom) continue
      const frames = announcements.flatMap(({ except, frame }) => (except && follows.has(except) ? [] : [frame]))
      if (socket.slow) late.push(...frames)
      else for (const frame of frames) socket.write(frame)
    }
  }

  /** After a fault in publishing: ends all sockets and forgets what was sent, so that no client goes on as if nothing was missed. */
  startOver(): void {
    this.#channels = new MarketChannels(this.#source)
    this.#fanOut = new FanOut(this.#source.onBug)
    for (const { socket } of this.#readers) socket.close(CLOSE.failed, 'failed')
  }

  /** While another process writes: makes the frames of every market from now on, for its readers, who reconnect here when it ends. */
  holdAll(): void {
    const { isStandby, markets, exchange } = this.#source
    if (!isStandby()) return
    for (const { condition } of markets.page(0, markets.count)) if (exchange.condition(condition)) this.#channels.of(condition)
  }

  /** Ends all sockets: this process stops. */
  close(): void {
    this.#fanOut.settle()
    for (const timer of this.#timers) clearInterval(timer)
    for (const { socket } of this.#readers) socket.close(CLOSE.draining, 'draining')
  }

  /** Open sockets. */
  get size(): number {
    return this.#sockets.size
  }

  #join(open: (onCaughtUp: () => void) => Sink): Reader {
    const socket = open(() => apart(this.#source.onBug, reader.socket, () => this.#catchUp(reader)))
    const reader: Reader = { socket, custom: false, follows: new Map(), missed: new Set(), late: [] }
    this.#readers.add(reader)
    return reader
  }

  #part(reader: Reader): void {
    this.#readers.delete(reader)
    for (const condition of reader.follows.keys()) this.#leave(reader, condition)
  }

  #hear(reader: Reader, text: string): void {
    try {
      const request = requestOf(marketRequest, text)
      this.#fanOut.settle()
      if ('epoch' in request) this.#resume(reader, request)
      else this.#change(reader, request)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      reader.socket.sendJson({ event_type: 'error', ...error.body() })
    }
  }

  /** Follows more or fewer tokens. */
  #change(reader: Reader, request: Exclude<z.output<typeof marketRequest>, { epoch: number }>): void {
    const { found, unknown } = findTokens(this.#source, request)
    if ('operation' in request && request.operation === 'unsubscribe') this.#unsubscribe(reader, found)
    else {
      if (request.custom_feature_enabled !== undefined) this.#setCustom(reader, request.custom_feature_enabled)
      const dump = !('initial_dump' in request) || request.initial_dump !== false
      this.#subscribe(reader, found, unknown, dump)
    }
  }

  #view(reader: Reader, condition: Hex): View<Reader> {
    return this.#channels.of(condition)[reader.custom ? 'custom' : 'plain']
  }

  /** Adds tokens to what a reader follows, as many as a socket may; returns those by condition, and the conditions that are too many. */
  #follow(reader: Reader, tokens: readonly Token[]): { asked: Map<Hex, Set<0 | 1>>; refused: Set<Hex> } {
    const asked = new Map<Hex, Set<0 | 1>>()
    const refused = new Set<Hex>()
    for (const { condition, outcome } of tokens) {
      const followed = reader.follows.get(condition)
      if (!followed && reader.follows.size >= SOCKET_CONDITIONS) refused.add(condition)
      else {
        asked.set(condition, (asked.get(condition) ?? new Set()).add(outcome))
        reader.follows.set(condition, new Set([...(followed ?? []), outcome]))
      }
    }
    for (const condition of asked.keys()) this.#view(reader, condition).readers.add(reader)
    return { asked, refused }
  }

  #subscribe(reader: Reader, tokens: readonly Token[], unknown: string[], dump: boolean, after?: ResumePoint): void {
    const { asked, refused } = this.#follow(reader, tokens)
    this.#acknowledge(reader, reader.follows, unknown)
    if (refused.size) reader.socket.sendJson(tooManyFrame(SOCKET_CONDITIONS, 'markets', [...refused]))
    if (after) this.#replay(reader, asked, after)
    else if (dump && asked.size) this.#snapshot(reader, asked)
  }

  /** Sends what happened after a log position, which may lie between the frames of a channel. */
  #replay(reader: Reader, asked: ReadonlyMap<Hex, Set<0 | 1>>, { epoch, position }: ResumePoint): void {
    const isKnown = epoch === this.#source.epoch && position <= this.#source.exchange.seq
    const lost = new Map<Hex, Set<0 | 1>>()
    let room = REPLAY_BYTES
    for (const [condition, outcomes] of asked) {
      const frames = isKnown ? this.#view(reader, condition).sincePosition(position, room) : null
      if (!frames) lost.set(condition, outcomes)
      for (const frame of frames ?? []) {
        room -= frame.length
        reader.socket.write(frame)
      }
    }
    if (lost.size) this.#snapshot(reader, lost, true)
  }

  #acknowledge({ socket }: Reader, follows: Reader['follows'], unknown: string[]): void {
    const { markets, exchange, epoch } = this.#source
    const assets = [...follows].flatMap(([condition, outcomes]) => [...outcomes].map((outcome) => markets.tokenOf(condition, outcome).id))
    socket.sendJson({
      event_type: 'subscribed',
      markets: [...follows.keys()],
      assets_ids: assets,
      unknown,
      seq: exchange.seq,
      epoch,
    })
  }

  /** Sends the requested books in one frame; with `resync`, preceded by the notice to discard the old ones, as more than books was missed. */
  #snapshot(reader: Reader, asked: ReadonlyMap<Hex, Set<0 | 1>>, resync = false): void {
    const { epoch } = this.#source
    const books = [...asked].flatMap(([condition, outcomes]) =>
      this.#channels.books(condition, outcomes, this.#view(reader, condition), resync),
    )
    const notices = [...asked.keys()].map((market) => ({ event_type: 'resync', market, seq: this.#view(reader, market).seq, epoch }))
    reader.socket.sendJson(resync ? [...notices, ...books] : books)
  }

  #resume(reader: Reader, { market, asset_id, seq, epoch }: Extract<z.output<typeof marketRequest>, { epoch: number }>): void {
    const { found, unknown } = findTokens(this.#source, {
      assets_ids: asset_id === undefined ? [] : [asset_id],
      markets: market === undefined ? [] : [market],
    })
    const { asked, refused } = this.#follow(reader, found)
    const [condition] = asked.keys()
    // Of this market alone: who comes back goes on with each of many.
    const resumed = new Map([...reader.follows].filter(([one]) => one === condition))
    this.#acknowledge(reader, resumed, unknown)
    if (refused.size) reader.socket.sendJson(tooManyFrame(SOCKET_CONDITIONS, 'markets', [...refused]))
    if (!condition) return
    const frames = epoch === this.#source.epoch ? this.#view(reader, condition).since(seq) : null
    // The notice discards the books of both tokens, so all that are followed are sent again.
    if (!frames) this.#snapshot(reader, resumed, true)
    reader.socket.cork()
    for (const frame of frames ?? []) reader.socket.write(frame)
    reader.socket.flush()
  }

  #unsubscribe(reader: Reader, tokens: readonly Token[]): void {
    for (const { condition, outcome } of tokens) {
      const outcomes = reader.follows.get(condition)
      outcomes?.delete(outcome)
      if (outcomes && !outcomes.size) this.#leave(reader, condition)
    }
    this.#acknowledge(reader, reader.follows, [])
  }

  #leave(reader: Reader, condition: Hex): void {
    reader.follows.delete(condition)
    reader.missed.delete(condition)
    this.#view(reader, condition).leave(reader, this.#source.now())
  }

  /** Switches between the plain and the custom view. Each has a chain of its own, so followed books are sent again. */
  #setCustom(reader: Reader, custom: boolean): void {
    if (reader.custom === custom) return
    for (const condition of reader.follows.keys()) this.#view(reader, condition).leave(reader, this.#source.now())
    reader.custom = custom
    for (const condition of reader.follows.keys()) this.#view(reader, condition).readers.add(reader)
    if (reader.follows.size) this.#snapshot(reader, reader.follows, true)
  }

  #catchUp(reader: Reader): void {
    this.#fanOut.settle()
    const missed = new Map([...reader.missed].map((condition) => [condition, reader.follows.get(condition)!]))
    reader.missed.clear()
    reader.socket.cork() // an announcement has a position from which on nothing is missing, so what was missed leaves with it
    if (missed.size) this.#snapshot(reader, missed, true)
    for (const announcement of reader.late.splice(0)) reader.socket.write(announcement)
    reader.socket.flush()
  }

  #heartbeat(): void {
    this.#fanOut.settle()
    const { epoch, exchange } = this.#source
    const head = JSON.stringify({ event_type: 'heartbeat', timestamp: String(this.#source.now()), seq: exchange.seq, epoch }).slice(0, -1)
    for (const reader of this.#readers) {
      if (reader.socket.slow) continue
      const channels = [...reader.follows.keys()].map((condition) => `"${condition}":${this.#view(reader, condition).seq}`)
      reader.socket.write(textFrame(`${head},"channels":{${channels.join(',')}}}`))
    }
  }

  #check(): void {
    for (const { socket } of this.#readers) socket.check()
  }
}
