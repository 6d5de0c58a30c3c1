import type { ConditionMode, Hex } from '@augury/engine/command'
import type { Exchange } from '@augury/engine/exchange'
import type { Books } from '../../base/books.ts'
import type { AppliedRow } from '../../record/log/applied-row.ts'
import { isHidden, type Markets } from '../reference/markets.ts'
import { Ring, textFrame } from './frames.ts'
import type { MarketChange } from './market-changes.ts'
import * as messages from './market-messages.ts'
import { View } from './view.ts'

/** Bytes of frames kept for clients that reconnect. */
const RING_BYTES = 64 * 1024 * 1024

/** What the public streams depend on. */
export interface StreamSource {
  exchange: Exchange
  /** The timeline: changes only when history is rewritten. */
  epoch: number
  books: Books
  markets: Markets
  /** Engine milliseconds. */
  now(): number
  /** Whether another process writes, whose readers may come here when it ends. */
  isStandby(): boolean
  onBug(error: unknown): void
}

/** A frame for all readers that asked for the custom features, except those that follow a condition. */
export interface Announcement {
  except: Hex | null
  frame: Buffer
}

/** The two views of a condition: the plain one, and the one for readers that asked for the custom features. */
interface MarketChannel<Reader> {
  condition: Hex
  tokens: readonly [yes: string, no: string]
  plain: View<Reader>
  custom: View<Reader>
  /** Grid and best prices as last sent, to see what changed. */
  grid: number
  best: string
}

/** Turns rows of the log into frames, one per condition and view, only for views with readers. */
export class MarketChannels<Reader> {
  readonly #source: StreamSource
  readonly #ring = new Ring(RING_BYTES)
  readonly #channels = new Map<Hex, MarketChannel<Reader>>()
  /** Whether another process has written until now. */
  #isStandby: boolean

  constructor(source: StreamSource) {
    this.#source = source
    this.#isStandby = source.isStandby()
  }

  /** The channel of a registered condition. */
  of(condition: Hex): MarketChannel<Reader> {
    let channel = this.#channels.get(condition)
    if (!channel) {
      const { seq } = this.#source.books.version(condition)
      channel = {
        condition,
        tokens: this.#source.markets.tokensOf(condition),
        plain: new View(`p${condition}`, this.#ring, seq),
        custom: new View(`c${condition}`, this.#ring, seq),
        grid: this.#source.exchange.condition(condition)!.grid,
        best: messages.bestPrices(this.#source.exchange.depth(condition, 0, 1)),
      }
      this.#channels.set(condition, channel)
    }
    return channel
  }

  /**
   * Whole books of a condition's tokens, at the log position of a view; when it begins anew, followed by all else that a view tells of the
   * condition itself.
   */
  books(condition: Hex, outcomes: Iterable<0 | 1>, view: View<Reader>, isAnew: boolean): messages.Message[] {
    const { exchange, epoch } = this.#source
    const { tokens, custom } = this.of(condition)
    const { mode, weight } = exchange.condition(condition)!
    const news = isAnew && view === custom ? this.#modeNews(this.#scene(condition, tokens, exchange.at), mode, weight) : []
    return [...this.#books(condition, outcomes), ...news].map((message) => ({ ...message, seq: view.seq, prev_seq: view.seq, epoch }))
  }

  /** Hands every frame of a row to `deliver`, with the view whose readers get it. `books` must already know of the row. */
  publish(row: AppliedRow, changes: Map<Hex, MarketChange>, deliver: (view: View<Reader>, condition: Hex, frame: Buffer) => void): void {
    const now = this.#source.now()
    const isStandby = this.#source.isStandby()
    // The readers of the process that ended come here now, those of markets that were quiet for long, too.
    if (this.#isStandby && !isStandby)
      for (const { plain, custom } of this.#channels.values()) for (const view of [plain, custom]) view.linger(now)
    this.#isStandby = isStandby
    for (const [condition, change] of changes) {
      const channel = isStandby ? this.of(condition) : this.#channels.get(condition)
      if (!channel) continue
      const { plain, custom } = this.#messages(channel, change, row.at)
      for (const [view, found] of [
        [channel.plain, plain],
        [channel.custom, custom],
      ] as const) {
        if (isStandby) view.linger(now)
        if (!found.length) continue
        if (view.wanted(now)) deliver(view, condition, view.append(found, row.lastSeq, this.#source.epoch))
        else view.skip(row.lastSeq)
      }
    }
  }

  /**
   * The frames for everybody who asked for news of markets: that the row registered this condition, and that it resolved it. Readers of the
   * condition get the second one in their own view.
   */
  announcements(condition: Hex, change: MarketChange, row: AppliedRow): Announcement[] {
    const market = this.#source.markets.market(condition)
    if (!market || isHidden(market)) return []
    const scene = this.#scene(condition, market.tokens, row.at)
    return change.conditions.flatMap((event) => {
      const message =
        event.change === 'registered'
          ? messages.newMarket(scene, market, event.grid)
          : event.change === 'resolved'
            ? messages.marketResolved(scene, market, event.weight ?? 0)
            : null
      if (!message) return []
      const text = JSON.stringify({ ...message, seq: row.lastSeq, prev_seq: row.lastSeq, epoch: this.#source.epoch })
      return [{ except: event.change === 'resolved' ? condition : null, frame: textFrame(text) }]
    })
  }

  #scene(condition: Hex, tokens: readonly [string, string], at: number): messages.Scene {
    const { exchange } = this.#source
    return { condition, tokens, top: exchange.depth(condition, 0, 10), at }
  }

  #books(condition: Hex, outcomes: Iterable<0 | 1>): messages.Message[] {
    return [...outcomes].map((outcome) => messages.wholeBook(this.#source, condition, outcome))
  }

  /** The mode of a condition, and its resolution once it has one. */
  #modeNews(scene: messages.Scene, mode: ConditionMode, weight: number | null): messages.Message[] {
    const news = [messages.marketMode(scene, mode)]
    if (weight !== null) news.push(messages.marketResolved(scene, this.#source.markets.market(scene.condition)!, weight))
    return news
  }

  #messages(channel: MarketChannel<Reader>, change: MarketChange, at: number): { plain: messages.Message[]; custom: messages.Message[] } {
    const scene = this.#scene(channel.condition, channel.tokens, at)
    const plain: messages.Message[] = change.fills.map((fill) => messages.lastTradePrice(scene, fill))
    if (change.levels.size) plain.push(messages.priceChange(scene, change.levels))
    const custom = [...plain]
    for (const event of change.conditions) {
      if (event.change === 'grid') {
        const books = [...messages.tickSizeChange(scene, channel.grid, event.grid), ...this.#books(channel.condition, [0, 1])]
        channel.grid = event.grid
        plain.push(...books)
        custom.push(...books)
      } else if (event.change === 'mode' || event.change === 'resolved') {
        custom.push(...this.#modeNews(scene, event.mode, event.weight))
      }
    }
    const best = messages.bestPrices(scene.top)
    if (best !== channel.best) custom.push(...messages.bestBidAsk(scene))
    channel.best = best
    return { plain, custom }
  }
}
