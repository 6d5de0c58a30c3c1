import type { Hex } from '@augury/engine/command'
import type { Exchange } from '@augury/engine/exchange'
import { type Clock, sleep } from '../../base/clock.ts'
import type { AppliedRow } from '../log/applied-row.ts'
import { type Head, type JournalReader, type JournalRow, ROWS_A_READ } from '../log/journal.ts'
import { Damaged, type Replica } from '../log/replica.ts'
import { SNAPSHOT_EVERY, type SnapshotStore, type StoredSnapshot, snapshotOf } from '../log/snapshots.ts'
import { FactWriter } from './facts.ts'
import { type ShownPrice, ShownPrices } from './shown-prices.ts'

/**
 * Facts per transaction, give or take a row. Every transaction updates the position of nearly every trader, so fewer and larger ones cost
 * less.
 */
const BATCH_FACTS = 50_000
/** From so many rows in one read the writer counts as busy: then rows are gathered, because writing them together costs a fraction. */
const BUSY_ROWS = 2
/** How long rows are gathered: at least, also while readers wait for history, and at most, without waiting readers. */
const GATHER_MS = { least: 50, most: 500 }
/**
 * How often a busy writer's journal is read, and how long a rest is at most. What is read at once is applied at once, and holds a processor
 * for as long; orders would wait behind half a second's rows.
 */
const READ_EVERY_MS = 50
/** How often the journal is read without being woken. */
const POLL_MS = 250
/** Accounts per batch whose holds are recomputed from their orders. */
const AUDITED_ACCOUNTS = 32

/** What a follower reads, writes to and tells. */
export interface FollowerOptions {
  journal: JournalReader
  snapshots: SnapshotStore
  replica: Replica
  clock: Clock
  /**
   * Writes the facts between two heads, and nothing or all of them. Calls `rest` after each piece of the work with the milliseconds that it
   * took.
   */
  project(from: Head, to: Head, facts: ReturnType<FactWriter['take']>, shown: ShownPrice[], rest: Rest): Promise<void>
  /** Hears of every position that history has reached. */
  onProjected(head: Head): void
  /** Called before it rests: from now on it wants `wake` at the next row. It reads once more after this call. */
  listen?(): void
  /** Signs the state where an hour ends, and on request, if it is to be signed. */
  roots?: { isDue(head: number, next: number): boolean; take(replica: Replica): Promise<unknown> } | undefined
  snapshotEvery?: number
}

/** Leaves the processors to others for as long as they were just used, unless history is waited for. */
export type Rest = (used: number) => Promise<void>

/**
 * Applies the rows of the journal to an engine of its own and writes down what they did. Rows only ever arrive by reading the journal, as
 * in a standby, written by any process at any time; `wake` merely saves the wait until the next read.
 */
export class Follower {
  readonly #options: FollowerOptions
  readonly #facts: FactWriter
  readonly #shown: ShownPrices
  readonly #touched = new Set<Hex>()
  /** Head up to which facts were handed to `project`, which writes them while the next are gathered. */
  #handed: Head
  #writing: Promise<void> | null = null
  #snapshotSeq: number
  /** The last snapshot taken here, whose memory the next one reuses. */
  #snapshot: StoredSnapshot | undefined
  #stopping = false
  #isWoken = false
  #endRest: () => void = () => {}
  /** Monotonic milliseconds at which the last facts were handed over, and from which the next may be. */
  #writtenAt = Number.NEGATIVE_INFINITY
  #due = Number.NEGATIVE_INFINITY
  /** Rows whose facts wait to be handed over. */
  #gathered = 0
  /** Called once each when the requested state was signed. */
  #rootAwaited: (() => void)[] = []
  /** Whether a reader waits for rows that are not written yet. */
  #isAwaited = false
  /** Whether the journal has more rows than one read gives. */
  #isBehind = false
  #endPause: () => void = () => {}

  /** The replica must stand at the position that history has reached. */
  constructor(options: FollowerOptions) {
    const { replica, journal } = options
    this.#options = options
    this.#handed = replica.head
    this.#snapshotSeq = replica.head.seq
    this.#shown = new ShownPrices(replica.exchange)
    this.#facts = new FactWriter(journal.stream)
  }

  /** There is a new row to read. */
  wake(): void {
    this.#isWoken = true
    this.#endRest()
  }

  /** A reader waits for history: writes what was gathered without waiting for more. */
  flush(): void {
    this.#isAwaited = true
    this.#due = Math.min(this.#due, this.#writtenAt + GATHER_MS.least)
    if (this.#isDue()) this.#endPause()
  }

  /** Signs the state as of a row not older than the newest one now. Resolves when that is done, or at once where roots are not made. */
  cutRoot(): Promise<void> {
    if (!this.#options.roots) return Promise.resolve()
    return new Promise((resolve) => {
      this.#rootAwaited.push(resolve)
      this.wake()
      this.#endPause()
    })
  }

  /** Lets `run` end once it has written everything there is. */
  stop(): void {
    this.#stopping = true
    this.#endRest()
    this.#endPause()
  }

  /** Follows until stopped; throws what it cannot get over: Damaged, or the failure of a connection. */
  async run(): Promise<void> {
    const { replica } = this.#options
    for (let isListening = false; ; ) {
      const isLast = this.#stopping
      this.#isWoken = false
      const rows = await this.#readOn()
      if (this.#isDue() && (rows === 0 || (!this.#writing && !this.#isBehind))) await this.#write()
      if (replica.head.seq - this.#snapshotSeq >= (this.#options.snapshotEvery ?? SNAPSHOT_EVERY)) await this.#takeSnapshot()
      const isBusy = rows >= BUSY_ROWS || this.#gathered > 0
      if (isBusy || rows > 0 || !isListening) {
        isListening = !isBusy && rows === 0
        if (isListening) this.#options.listen?.()
        if (isBusy && !this.#isBehind && !this.#stopping) await this.#pause()
        continue
      }
      await this.#writing
      if (isLast) break
      await this.#rest()
    }
    if (replica.head.seq > this.#snapshotSeq) await this.#takeSnapshot()
  }

  /** Follows what the journal has, as much as one read gives. Returns the number of rows. */
  async #readOn(): Promise<number> {
    const { journal, replica } = this.#options
    const asked = this.#rootAwaited.length // a caller that asks during the read may know of a row that is not read
    const rows = await journal.read(replica.head.seq)
    await this.#follow(rows)
    this.#isBehind = rows.length >= ROWS_A_READ
    if (asked > 0 && !this.#isBehind) {
      await this.#takeRoot()
      for (const signed of this.#rootAwaited.splice(0, asked)) signed()
    }
    return rows.length
  }

  async #follow(rows: readonly JournalRow[]): Promise<void> {
    const { replica, roots, clock } = this.#options
    for (const row of rows) {
      replica.verify(row)
      if (roots?.isDue(replica.head.at, row.at)) await this.#takeRoot()
      this.#shown.before(row.at)
      const applied = replica.apply(row)
      this.#gathered++
      this.#facts.add(row, applied)
      this.#shown.after(applied)
      this.#touch(applied)
      if (this.#facts.size >= BATCH_FACTS) await this.#write()
      if (this.#writing) await sleep(clock, 0) // lets answers of the database in between two rows
    }
  }

  /** Hands the gathered facts to `project`, once the ones before are written. */
  async #write(): Promise<void> {
    const { replica, clock, project, onProjected } = this.#options
    const to = replica.head
    if (to.seq === this.#handed.seq) return
    for (const account of this.#touched) checkHolds(replica.exchange, account)
    this.#touched.clear()
    this.#isAwaited = false // a caller that waits for more calls `flush` again
    const facts = this.#facts.take()
    const shown = this.#shown.take()
    const isBusy = this.#gathered >= BUSY_ROWS
    this.#gathered = 0
    await this.#writing
    this.#writtenAt = clock.monotonic()
    const { least, most } = GATHER_MS
    this.#due = this.#writtenAt + (isBusy ? (this.#isAwaited ? least : most) : 0)
    this.#writing = project(this.#handed, to, facts, shown, (used) => this.#leave(used)).then(() => {
      this.#writing = null
      onProjected(to)
    })
    this.#writing.catch(() => {}) // not lost: the next `await` of #writing gets it
    this.#handed = to
  }

  /** Writes history up to the root first, so that a reader of the root can also read what led to it. */
  async #takeRoot(): Promise<void> {
    await this.#write()
    await this.#writing
    await this.#options.roots?.take(this.#options.replica)
  }

  async #takeSnapshot(): Promise<void> {
    await this.#write()
    await this.#writing // a restarting follower needs a snapshot that history has reached
    const { replica, clock, snapshots } = this.#options
    this.#snapshot = await snapshotOf(replica, clock, this.#snapshot)
    await snapshots.save(this.#snapshot)
    this.#snapshotSeq = this.#snapshot.seq
  }

  #touch({ outcomes }: AppliedRow): void {
    for (const { events } of outcomes) {
      for (const event of events) {
        if (this.#touched.size >= AUDITED_ACCOUNTS) return
        if (event.type === 'placed') this.#touched.add(event.order.account)
        else if (event.type === 'fill') this.#touched.add(event.maker.account)
        else if (event.type === 'ended') this.#touched.add(event.order.account)
      }
    }
  }

  #isDue(): boolean {
    return this.#stopping || this.#options.clock.monotonic() >= this.#due
  }

  /** Waits until a busy writer's journal is read again. Throws when what is being written meanwhile fails. */
  async #pause(): Promise<void> {
    const ended = new Promise<void>((resolve) => (this.#endPause = resolve))
    await Promise.race([sleep(this.#options.clock, READ_EVERY_MS), ended, this.#writing ?? ended])
  }

  async #leave(used: number): Promise<void> {
    if (!this.#isAwaited && !this.#isBehind && !this.#stopping) await sleep(this.#options.clock, Math.min(used, READ_EVERY_MS))
  }

  #rest(): Promise<void> {
    if (this.#stopping || this.#isWoken) return Promise.resolve()
    const { clock } = this.#options
    return Promise.race([sleep(clock, POLL_MS), new Promise<void>((resolve) => (this.#endRest = resolve))])
  }
}

/** Compares what an account's open orders hold with the sums the engine keeps. Throws Damaged on a difference. */
export function checkHolds(exchange: Pick<Exchange, 'heldByOrders' | 'balance' | 'holdings'>, account: Hex): void {
  const { cash, lots } = exchange.heldByOrders(account)
  const { held } = exchange.balance(account)
  if (held !== cash) throw new Damaged(`account ${account} holds ${held}, its open orders ${cash}`)
  for (const { condition, outcome, held } of exchange.holdings(account)) {
    const expected = lots.get(`${condition} ${outcome}`) ?? 0
    if (held !== expected) {
      throw new Damaged(`account ${account} holds ${held} lots of ${condition} ${outcome}, its open orders ${expected}`)
    }
  }
}
