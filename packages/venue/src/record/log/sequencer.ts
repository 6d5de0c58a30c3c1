import { encodeCommand } from '@augury/engine/codec'
import type { Command } from '@augury/engine/command'
import { type Clock, EngineTime, sleep } from '../../base/clock.ts'
import type { AppliedRow, Result } from './applied-row.ts'
import { Intake } from './intake.ts'
import { Fenced, type Head, type Journal, type JournalRow, seal, type Tenure } from './journal.ts'
import { OutcomeUnknown } from './outcome-unknown.ts'
import { answerCallers, applyPending, type PendingRow } from './pending-row.ts'
import type { Replica } from './replica.ts'

/** Orders that one sweep ends at most. */
const SWEEP_LIMIT = 4096
/** The lease is renewed this often, and trusted for this long after it was. */
const RENEW_MS = 1000
const VERIFIED_MS = 3000
/** How often waiting callers are checked. */
const TICK_MS = 500
/** How long a caller waits for its answer where the commit of its row is in doubt, in the queue and after; then it gets OutcomeUnknown. */
const UNKNOWN_MS = 9000
const RETRY_MS = 200
/**
 * From so many callers in a row the writer counts as busy: the next row is then cut GATHER_MS after it, so that more commands share its
 * cost.
 */
const BUSY_CALLERS = 2
const GATHER_MS = 2
/** Rows remembered for the investigation of a bug. */
const REMEMBERED_ROWS = 64

/** What a writer writes with, and whom it tells. */
export interface SequencerOptions {
  journal: Journal
  replica: Replica
  tenure: Tenure
  clock: Clock
  /** Called with every applied row, before its callers are answered. */
  onRow(row: AppliedRow): void
  /** Called with the duration of each commit in milliseconds. */
  onCommit?(milliseconds: number): void
  /** Called when the writer has stopped for good: it was replaced (Fenced) or found a bug. `rows` are the last it wrote. */
  onFatal(error: Error, rows: JournalRow[]): void
}

/**
 * The one writer: cuts rows from the queue, has each committed, then applies it. There is never more than one commit in flight. When idle,
 * the next row is sent before the last is applied, so that disk and engine work at the same time; when busy, the last row is applied first
 * and commands gather meanwhile, because fewer and larger rows then save more.
 */
export class Sequencer {
  readonly #journal: Journal
  readonly #replica: Replica
  readonly #clock: Clock
  readonly #options: SequencerOptions
  readonly #time: EngineTime
  readonly #intake = new Intake()
  readonly #remembered: JournalRow[] = []
  #tenure: Tenure
  /** The last committed row, applied or not. */
  #committed: Head
  #flying: PendingRow | null = null
  #verifiedAt: number
  #stopping = false
  #failed = false
  #wake: () => void = () => {}
  #stopTicking: () => void = () => {}
  readonly #ended: Promise<void>
  /** Resolves when the lease was verified for the first time: from then on it writes. */
  readonly proven: Promise<void>

  /** Starts at once. The replica must stand at the head of the tenure. */
  constructor(options: SequencerOptions) {
    const { journal, replica, tenure, clock } = options
    this.#options = options
    this.#journal = journal
    this.#replica = replica
    this.#clock = clock
    this.#tenure = tenure
    this.#committed = tenure.head
    this.#time = new EngineTime(clock, tenure.head.at)
    this.#verifiedAt = Number.NEGATIVE_INFINITY // taking over may have taken longer than the lease lasts
    this.#tick()
    this.proven = this.#renew()
    this.#ended = this.#run().catch((error: Error) => this.#fail(error))
  }

  get epoch(): number {
    return this.#tenure.epoch
  }
  get timeline(): number {
    return this.#tenure.timeline
  }

  /** Engine milliseconds. */
  now(): number {
    return Math.max(this.#time.now(), this.#committed.at)
  }

  /** Whether the lease was verified within the last three seconds. */
  get verified(): boolean {
    return !this.#failed && this.#clock.monotonic() - this.#verifiedAt < VERIFIED_MS
  }

  /** Commands that wait for a row. */
  get queued(): Pick<Intake, 'size' | 'waiting'> {
    return this.#intake
  }

  /** As Venue.submit. */
  submit(command: Command): Promise<Result> {
    const result = this.#intake.add(command, this.#clock.monotonic())
    this.#wake()
    return result
  }

  /** Lets nothing more in and resolves when everything that was is committed, applied and answered. */
  async drain(): Promise<void> {
    this.#stopping = true
    this.#intake.close()
    this.#wake()
    await this.#ended
  }

  async #run(): Promise<void> {
    await this.proven
    let applicable: PendingRow | null = null
    try {
      while (!(this.#stopping && this.#intake.size === 0 && !applicable)) {
        if (applicable && applicable.callers.length >= BUSY_CALLERS) {
          this.#apply(applicable)
          await this.#gather(applicable)
          applicable = null
        }
        const pending = this.#cut(applicable)
        if (pending) {
          const sent = this.#commit(pending)
          sent.catch(() => {}) // awaited below, unless the engine throws first
          if (applicable) this.#apply(applicable)
          applicable = (await sent) ? pending : null
        } else if (applicable) {
          this.#apply(applicable)
          applicable = null
        } else {
          await this.#rest()
        }
        if (this.#clock.monotonic() - this.#verifiedAt >= RENEW_MS) await this.#renew()
      }
    } catch (error) {
      for (const { reject } of applicable?.callers ?? []) reject(new OutcomeUnknown()) // does nothing for those that were answered
      throw error
    }
    this.#stopTicking()
  }

  /** Waits until a busy writer may cut its next row: GATHER_MS after the last one was sent. */
  async #gather({ sentAt }: PendingRow): Promise<void> {
    const wait = GATHER_MS - (this.#clock.monotonic() - sentAt)
    if (wait >= 1 && !this.#stopping) await sleep(this.#clock, wait)
  }

  /** The next row, or null when there is nothing to write. No sweep is added while an unapplied row has one. */
  #cut(unapplied: PendingRow | null): PendingRow | null {
    const at = this.now()
    const due = unapplied?.swept ? null : this.#replica.exchange.nextDue()
    const swept = due !== null && due <= at
    const sweep = swept ? [encodeCommand({ type: 'sweep', limit: SWEEP_LIMIT })] : []
    const callers = this.#intake.take(swept ? sweep[0]!.length : 0)
    const encoded = [...sweep, ...callers.map(({ bytes }) => bytes)]
    if (encoded.length === 0) return null
    const firstSeq = this.#committed.seq + 1
    const row = seal(this.#journal.stream, {
      timeline: this.#tenure.timeline,
      epoch: this.#tenure.epoch,
      firstSeq,
      lastSeq: firstSeq + encoded.length - 1,
      at,
      ...this.#replica.state(),
      commands: Buffer.concat(encoded),
      previousChecksum: this.#committed.checksum,
    })
    return { row, swept, callers, sentAt: this.#clock.monotonic() }
  }

  /** Has a row committed. False when it certainly was not and is not to be. */
  async #commit(pending: PendingRow): Promise<boolean> {
    this.#flying = pending
    let isWritten = true
    try {
      await this.#journal.append(pending.row)
    } catch (error) {
      if (error instanceof Fenced) throw error
      isWritten = await this.#settle(pending)
    }
    this.#flying = null
    if (!isWritten) return false
    this.#options.onCommit?.(this.#clock.monotonic() - pending.sentAt)
    this.#committed = { seq: pending.row.lastSeq, at: pending.row.at, checksum: pending.row.checksum }
    return true
  }

  /**
   * Finds out whether a row was written after the connection was lost. Takes the lease again and reads the head: when it is the row, it
   * was; when it is the row's predecessor, the row is sent again; anything else is another writer's. A row without a waiting caller
   * is not sent again: by then the engine may have forgotten an earlier command that one of its commands repeats.
   */
  async #settle(pending: PendingRow): Promise<boolean> {
    for (;;) {
      try {
        const { head } = await this.#acquire()
        if (head.checksum === pending.row.checksum) return true
        if (head.checksum !== pending.row.previousChecksum) throw new Fenced(`another writer has written after ${this.#committed.seq}`)
        if (this.#clock.monotonic() - pending.sentAt > UNKNOWN_MS) {
          for (const { reject } of pending.callers) reject(new OutcomeUnknown())
          return false
        }
        const { timeline, epoch } = this.#tenure
        pending.row = seal(this.#journal.stream, { ...pending.row, timeline, epoch, at: this.now() })
        await this.#journal.append(pending.row)
        return true
      } catch (error) {
        if (error instanceof Fenced || (this.#stopping && this.#clock.monotonic() - pending.sentAt > UNKNOWN_MS)) throw error
        await sleep(this.#clock, RETRY_MS)
      }
    }
  }

  /** Renews the lease. Commits do not: they only lock its row. */
  async #renew(): Promise<void> {
    const sentAt = this.#clock.monotonic()
    try {
      await this.#journal.verify()
      this.#verifiedAt = sentAt
    } catch (error) {
      if (error instanceof Fenced) throw error
      await this.#reconnect()
    }
  }

  /** Like `#settle`, with no row in doubt. */
  async #reconnect(): Promise<void> {
    for (;;) {
      try {
        const { head } = await this.#acquire()
        if (head.checksum !== this.#committed.checksum) throw new Fenced(`another writer has written after ${this.#committed.seq}`)
        return
      } catch (error) {
        if (error instanceof Fenced || this.#stopping) throw error
        await sleep(this.#clock, RETRY_MS)
      }
    }
  }

  async #acquire(): Promise<Tenure> {
    // The lock was lost with the connection, so another process may have it by now. The next renewal verifies it again.
    this.#verifiedAt = Number.NEGATIVE_INFINITY
    const tenure = await this.#journal.acquire()
    this.#tenure = tenure
    this.#time.catchUp(tenure.head.at)
    return tenure
  }

  #apply(pending: PendingRow): void {
    this.#remembered.push(pending.row)
    if (this.#remembered.length > REMEMBERED_ROWS) this.#remembered.shift()
    const applied = applyPending(this.#replica, pending)
    this.#options.onRow(applied)
    answerCallers(pending, applied)
  }

  /** Waits until a command comes, something is due, or it is time to renew the lease. */
  #rest(): Promise<void> {
    if (this.#stopping || this.#intake.size > 0) return Promise.resolve()
    const due = this.#replica.exchange.nextDue() ?? Number.POSITIVE_INFINITY
    const renewal = this.#verifiedAt + RENEW_MS - this.#clock.monotonic()
    const wait = Math.max(1, Math.min(renewal, due - this.now()))
    return new Promise((resolve) => {
      const forget = this.#clock.after(wait, resolve)
      this.#wake = () => {
        this.#wake = () => {} // once is enough for any number of commands
        forget()
        resolve()
      }
    })
  }

  /** Ends long waits: rejects commands that are in no row yet, and gives OutcomeUnknown to those whose row is in flight. */
  #tick(): void {
    const now = this.#clock.monotonic()
    this.#intake.rejectOverdue(now)
    for (const { since, reject } of this.#flying?.callers ?? []) if (now - since > UNKNOWN_MS) reject(new OutcomeUnknown())
    this.#stopTicking = this.#clock.after(TICK_MS, () => this.#tick())
  }

  #fail(error: Error): void {
    this.#failed = true
    this.#stopTicking()
    this.#intake.clear()
    for (const { reject } of this.#flying?.callers ?? []) reject(new OutcomeUnknown())
    this.#options.onFatal(error, this.#remembered)
  }
}
