import { isDatabaseAway } from '@augury/domain/database-away'
import type { Command } from '@augury/engine/command'
import type { Exchange } from '@augury/engine/exchange'
import { ServiceError } from '@augury/wire/service-error'
import { type Clock, EngineTime } from '../base/clock.ts'
import { FollowerThread } from './history/follower-thread.ts'
import { Lag } from './history/lag.ts'
import { Progress } from './history/progress.ts'
import { openReadModel } from './history/read-model.ts'
import type { AppliedRow, Result } from './log/applied-row.ts'
import { dumpFault } from './log/fault.ts'
import { HighWater } from './log/high-water.ts'
import { Fenced, type JournalRow } from './log/journal.ts'
import { type PostgresJournal, rowsSince } from './log/postgres-journal.ts'
import type { Following } from './log/recovery.ts'
import type { Replica } from './log/replica.ts'
import { Sequencer } from './log/sequencer.ts'
import { type Found, takeOver } from './take-over.ts'
import type { Venue, VenueOptions, VenueStatus, WriterState } from './venue.ts'

/** Milliseconds in which a root has to be there: the tree of a large exchange takes seconds. */
const CUT_MS = 10_000

/**
 * The exchange in this process. It begins as a standby at the head of the journal; `lead` follows until the lease is free and then writes;
 * `drain` ends both. It fails for good when another process took the lease or a bug was found.
 */
export class RunningVenue implements Venue {
  readonly stream: string
  readonly exchange: Exchange
  readonly readModel: ReturnType<typeof openReadModel>
  readonly #options: VenueOptions & { stream: string; clock: Clock }
  readonly #replica: Replica
  readonly #foundTimeline: number
  readonly #highWater: HighWater
  readonly #time: EngineTime
  readonly #progress: Progress
  readonly #lag: Lag
  readonly #status = this.#liveStatus()
  readonly #rowListeners = new Set<(row: AppliedRow) => void>()
  readonly #commitListeners = new Set<(milliseconds: number) => void>()
  readonly #followListeners = new Set<(row: JournalRow) => Promise<void>>()
  readonly #preparations = new Set<() => Promise<void>>()
  #writer: WriterState = 'standby'
  #mode: Exchange['mode']
  /** Engine milliseconds of the last change of `#writer` or `#mode`. */
  #since: number
  #journal: PostgresJournal | null = null
  #sequencer: Sequencer | null = null
  #follower: FollowerThread | null = null
  #leading: Promise<unknown> | null = null
  readonly #closing = new AbortController()
  #draining: Promise<void> | null = null
  #isDrained = false

  /** Begins with what was found in the database. */
  constructor(options: VenueOptions & { stream: string; clock: Clock }, { replica, timeline, history, lacksSince }: Found) {
    const { databaseUrl, dataDir, stream, clock, log } = options
    this.stream = stream
    this.exchange = replica.exchange
    this.exchange.onBug = (error, seq) =>
      log.error(`command ${seq} was refused because of a bug: ${error instanceof Error ? error.stack : error}`)
    this.#options = options
    this.#replica = replica
    this.#foundTimeline = timeline
    this.#highWater = new HighWater(dataDir, stream, clock, (sentence) => log.warn(sentence))
    this.#time = new EngineTime(clock, replica.head.at)
    this.#progress = new Progress(clock, () => this.#follower?.flush())
    this.#progress.advance(history)
    this.#lag = new Lag(() => this.#progress.projected().seq)
    this.#lag.add(replica.head.seq, lacksSince)
    this.readModel = openReadModel(databaseUrl, stream, this.#progress)
    this.#mode = this.exchange.mode
    this.#since = this.#time.now()
  }

  /**
   * Becomes the writer as soon as the lease is free. Resolves once this process writes; rejects when `drain` came first, or with an
   * explanation when writing would not be safe.
   */
  lead(): Promise<void> {
    const leading = this.#lead()
    this.#leading = leading
    return leading
  }

  /** Like `lead`, without waiting for it; a failure goes to the log and to `onFatal`. */
  standBy(): void {
    this.lead().catch((error: Error) => {
      if (!this.#closing.signal.aborted) this.#fail(error)
    })
  }

  async #lead(): Promise<void> {
    const { databaseUrl, stream, clock, log, requireDurability = true, snapshotEvery, retryHistoryMs, proof } = this.#options
    const replica = this.#replica
    const { journal, tenure } = await takeOver(
      { databaseUrl, stream, clock, requireDurability },
      this.#following(),
      this.#closing.signal,
      (error) => log.warn(`the database is away: ${error.message}`),
    )
    this.#journal = journal
    this.#highWater.note(tenure.timeline, replica.head)
    const sequencer = new Sequencer({
      journal,
      replica,
      tenure,
      clock,
      onRow: (row) => {
        this.#publish(row)
        this.#follower?.wake()
        this.#highWater.note(sequencer.timeline, replica.head)
      },
      onCommit: (milliseconds) => {
        for (const listener of this.#commitListeners) listener(milliseconds)
      },
      onFatal: (error, rows) => this.#fail(error, rows),
    })
    this.#sequencer = sequencer
    const onTrouble = (message: string, isStopped: boolean) => this.#reportHistory(message, isStopped)
    this.#follower = new FollowerThread({ databaseUrl, stream, snapshotEvery, proof }, clock, this.#progress, onTrouble, retryHistoryMs)
    await sequencer.proven
    this.#become('primary')
    log.info(`writing stream ${stream} from ${replica.head.seq} on, in epoch ${tenure.epoch}`)
  }

  /** What this process does while another one writes, and before it lets the first command in. */
  #following(): Following {
    return {
      replica: this.#replica,
      before: async (row) => {
        for (const follow of this.#followListeners) await follow(row)
      },
      after: (row) => this.#publish(row),
      onHistory: (head) => this.#progress.advance(head),
      prepare: async ({ tenure }, reader) => {
        await this.#highWater.check(reader, tenure.timeline, tenure.head)
        await Promise.all([...this.#preparations].map((prepare) => prepare()))
      },
    }
  }

  /** Stops for good: another process took the lease, or a bug was found. `rows` are the last ones written. */
  #fail(error: Error, rows: JournalRow[] = []): void {
    this.#become('draining')
    const { dataDir, log, onFatal } = this.#options
    // Told to stop while the database is away: what is committed is there, and nothing else was answered.
    if (this.#draining && isDatabaseAway(error)) return void log.warn(`stopped without the database: ${error.message}`)
    const dump = error instanceof Fenced ? '' : ` Its last rows: ${dumpFault(dataDir, error, rows)}`
    log.error(`the writer stopped: ${error.stack}${dump}`)
    onFatal(error)
  }

  #reportHistory(message: string, isStopped: boolean): void {
    const { log } = this.#options
    const where = `history stopped at ${this.#progress.projected().seq} and needs an operator (runbook, HistoryStopped)`
    if (isStopped) log.error(`${where}: ${message}`)
    else log.warn(`history restarts: ${message}`)
  }

  #become(writer: WriterState): void {
    this.#writer = writer
    this.#since = this.now()
  }

  #publish(row: AppliedRow): void {
    this.#lag.add(row.lastSeq, row.at)
    if (this.exchange.mode !== this.#mode) this.#since = row.at
    this.#mode = this.exchange.mode
    for (const listener of this.#rowListeners) listener(row)
  }

  get epoch(): number {
    return this.#sequencer?.epoch ?? 0
  }

  get timeline(): number {
    return this.#sequencer?.timeline ?? this.#foundTimeline
  }

  now(): number {
    return this.#sequencer ? this.#sequencer.now() : Math.max(this.#time.now(), this.#replica.head.at)
  }

  submit(command: Command): Promise<Result> {
    return this.#sequencer?.submit(command) ?? Promise.reject(new ServiceError('standby'))
  }

  onRow(listener: (row: AppliedRow) => void): () => void {
    this.#rowListeners.add(listener)
    return () => this.#rowListeners.delete(listener)
  }

  onCommit(listener: (milliseconds: number) => void): void {
    this.#commitListeners.add(listener)
  }

  onFollow(listener: (row: JournalRow) => Promise<void>): () => void {
    this.#followListeners.add(listener)
    return () => this.#followListeners.delete(listener)
  }

  onTakeOver(prepare: () => Promise<void>): void {
    this.#preparations.add(prepare)
  }

  async cutRoot(): Promise<boolean> {
    if (!this.#follower) return false
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const forget = this.#options.clock.after(CUT_MS, () => resolve(false))
    void this.#follower.cutRoot().then(resolve)
    return promise.finally(forget)
  }

  rowsSince(at: number): AsyncIterable<JournalRow> {
    return rowsSince(this.#options.databaseUrl, this.stream, at)
  }

  status(): Readonly<VenueStatus> {
    return this.#status
  }

  waiting(): number {
    return this.#sequencer?.queued.waiting(this.#options.clock.monotonic()) ?? 0
  }

  drain(): Promise<void> {
    this.#draining ??= this.#drain()
    return this.#draining
  }

  async #drain(): Promise<void> {
    this.#become('draining')
    this.#closing.abort()
    await this.#sequencer?.drain()
    await this.#leading?.catch(() => {}) // its failure was reported
    await this.#sequencer?.drain() // it may have become the writer meanwhile
    this.#isDrained = true
    await this.#highWater.write()
    await this.#journal?.close()
  }

  async close(): Promise<void> {
    await this.drain()
    await this.#follower?.close()
    await this.readModel.close()
  }

  /** Status is read for every request, so each field is a getter that computes only itself. */
  #liveStatus(): VenueStatus {
    const venue = this
    return {
      get mode() {
        return venue.exchange.mode
      },
      get since() {
        return venue.#since
      },
      get seq() {
        return venue.#replica.head.seq
      },
      get epoch() {
        return venue.epoch
      },
      get writer() {
        return venue.#writer
      },
      get queued() {
        return venue.#sequencer?.queued.size ?? 0
      },
      get verified() {
        return !venue.#isDrained && (venue.#sequencer?.verified ?? false)
      },
      get projectedSeq() {
        return venue.#progress.projected().seq
      },
      get lagSeconds() {
        return venue.#lag.seconds(venue.now())
      },
      get isHistoryStopped() {
        return venue.#follower?.isStopped ?? false
      },
    }
  }
}
