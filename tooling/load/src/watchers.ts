import { setTimeout as wait } from 'node:timers/promises'
import { followAccount, followMarket } from '@augury/faults/followers'
import { Swarm } from '@augury/faults/swarm'
import type { Crowd } from './crowd.ts'
import { Histogram } from './histogram.ts'
import type { System } from './system.ts'

const COMPARE_MS = 5000
const ACCOUNTS = 2
/**
 * Sockets per market whose book is rebuilt in full. Of the others only the chain of frames is checked, because this process competes with
 * the exchange for the processor.
 */
const REBUILT = 1
const VIEW_PATIENCE_MS = 30_000

/** What the watchers saw, and what should not have happened. */
export interface Watched {
  frames: number
  resyncs: number
  books: number
  events: number
  views: number
  viewTimes: Histogram
  /** Milliseconds from the first to the last reader of a frame, 99th percentile. */
  lagP99: number
  wrong: string[]
}

/** Follows markets and accounts, rebuilds books from the frames, and reads pages: `views` a second. */
export class Watchers {
  readonly #system: System
  readonly #crowd: Crowd
  readonly #swarms: Swarm[] = []
  #books: Awaited<ReturnType<typeof followMarket>>[] = []
  #accounts: Awaited<ReturnType<typeof followAccount>>[] = []
  readonly #seen: Watched = { frames: 0, resyncs: 0, books: 0, events: 0, views: 0, viewTimes: new Histogram(), lagP99: 0, wrong: [] }
  readonly #viewing: Promise<void>[] = []
  #comparing: Promise<void> = Promise.resolve()
  #isOver = false

  private constructor(system: System, crowd: Crowd) {
    this.#system = system
    this.#crowd = crowd
  }

  /** Opens `sockets` sockets, spread over the markets, and starts. */
  static async open(system: System, crowd: Crowd, counts: { sockets: number; views: number }): Promise<Watchers> {
    const watchers = new Watchers(system, crowd)
    const port = Number(new URL(system.exchange).port)
    for (const [index, market] of crowd.markets.entries()) {
      watchers.#books.push(await followMarket(system.exchange, market, false))
      const share = Math.floor((counts.sockets + index) / crowd.markets.length)
      if (share === 0) continue
      const swarm = new Swarm(port, market)
      await swarm.open(share, REBUILT)
      watchers.#swarms.push(swarm)
    }
    for (const { key } of crowd.traders.slice(0, ACCOUNTS)) watchers.#accounts.push(await followAccount(system.exchange, key, false))
    watchers.#comparing = watchers.#compare()
    if (system.site !== null && counts.views > 0) for (let n = 0; n < counts.views; n++) watchers.#viewing.push(watchers.#view(n))
    return watchers
  }

  /** Ends once everything received is compared. Trading has ended by then. */
  async close(): Promise<Watched> {
    this.#isOver = true
    await Promise.all([this.#comparing, ...this.#viewing])
    for (const book of this.#books) {
      const again = async (error: unknown, patience = 10): Promise<number> => {
        if (patience === 0) throw error
        await wait(1000)
        return book.compare(this.#seen.wrong).catch((next) => again(next, patience - 1))
      }
      this.#seen.books += await book.compare(this.#seen.wrong).catch(again)
    }
    for (const account of this.#accounts) {
      this.#seen.wrong.push(...(await account.compare()))
      this.#seen.events += account.told.length
      account.close()
    }
    await this.#agree()
    for (const follower of [...this.#books, ...this.#swarms]) follower.close()
    return this.#seen
  }

  async #compare(): Promise<void> {
    while (!this.#isOver) {
      await wait(Math.min(COMPARE_MS, 1000))
      for (const book of this.#books) this.#seen.books += await book.compare(this.#seen.wrong).catch(() => 0) // not answered in time
      this.#take()
      for (let ms = 1000; ms < COMPARE_MS && !this.#isOver; ms += 100) await wait(100)
    }
  }

  #take(): void {
    for (const swarm of this.#swarms) {
      const { frames, resyncs, gaps, repeats, p99 } = swarm.take()
      this.#seen.frames += frames
      this.#seen.resyncs += resyncs
      this.#seen.lagP99 = Math.max(this.#seen.lagP99, p99)
      if (gaps + repeats > 0) this.#seen.wrong.push(`sockets heard ${gaps} gaps and ${repeats} frames twice`)
    }
  }

  /** Checks that all sockets of a market are at the position of its book, with the same book. */
  async #agree(): Promise<void> {
    for (const [index, swarm] of this.#swarms.entries()) {
      const { yes } = this.#crowd.markets.at(index - this.#swarms.length)!
      const reply = await fetch(`${this.#system.exchange}/orderbook?token_id=${yes}`)
      const { bids, asks, seq } = (await reply.json()) as { bids: unknown; asks: unknown; seq: number }
      for (let patience = 0; patience < 300 && [...swarm.positions()].some((one) => one !== seq); patience++) await wait(100)
      const asked = JSON.stringify({ bids, asks })
      const other = swarm.books().filter((book) => JSON.stringify(book.levels(0)) !== asked).length
      if (other > 0) this.#seen.wrong.push(`${other} books rebuilt from the stream differ from the one that is asked for`)
    }
    this.#take()
  }

  /** Reads a page a second, one of the few that people look at. */
  async #view(turn: number): Promise<void> {
    const pages = ['/', '/api/events?limit=40', `/event/${this.#crowd.markets[0]!.slug}`]
    for (let n = turn; !this.#isOver; n++) {
      const begun = performance.now()
      const page = pages[n % pages.length]!
      try {
        const reply = await fetch(this.#system.site + page, { signal: AbortSignal.timeout(VIEW_PATIENCE_MS) })
        await reply.arrayBuffer()
        this.#seen.views++
        this.#seen.viewTimes.add(performance.now() - begun)
        // The load's market appears on the site once the worker has imported it.
        if (!reply.ok && !(reply.status === 404 && page.startsWith('/event/')))
          this.#seen.wrong.push(`${page} was answered ${reply.status}`)
      } catch {
        this.#seen.wrong.push(`${page} was not answered within ${VIEW_PATIENCE_MS / 1000} s`)
      }
      await wait(Math.max(0, 1000 - (performance.now() - begun)))
    }
  }
}
