import { encodeCommand } from '@augury/engine/codec'
import type { Command } from '@augury/engine/command'
import { type Clock, EngineTime, sleep } from '../clock.ts'
import type { AppliedRow, Result } from '../venue.ts'
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
/** How often waiting callers are looked at. */
const TICK_MS = 500
/** How long a caller waits for a row whose commit is in doubt; then the answer is that the outcome is unknown. */
const UNKNOWN_MS = 20_000
const RETRY_MS = 200
/** From so many callers in a row the writer counts as busy: the next row is cut this much later, so that more commands share its cost. */
const BUSY_CALLERS = 2
const GATHER_MS = 2
/** Commands remembered for whoever investigates a bug. */
const REMEMBERED_ROWS = 64

export interface SequencerOptions {
  journal: Journal
  replica: Replica
  tenure: Tenure
  clock: Clock
  /** Hears of every applied row before its callers do. */
  onRow(row: AppliedRow): void
  /** Hears how long each commit took, in milliseconds. */
  onCommit?(milliseconds: number): void
  /** The writer has stopped for good: it was replaced (Fenced) or found a bug. `rows` are the last it wrote. */
  onFatal(error: Error, rows: JournalRow[]): void
}

/**
 * The one writer: cuts rows from the queue, has each committed, then applies it. The next row is sent before the last is applied, so
 * that the disk and the engine work at the same time, unless there is so much to do that fewer and larger rows save more; there is never
 * more than one commit in flight.
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
  /** Resolves when the lease was proven for the first time: from then on it writes. */
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
    this.#verifiedAt = Number.NEGATIVE_INFINITY // taking over may have taken a while
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

  /** Whether the lease was proven within the last three seconds. */
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
          sent.catch(() => {}) // heard below, also when the engine throws first
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
      for (const { reject } of applicable?.callers ?? []) reject(new OutcomeUnknown()) // unless it was applied
      throw error
    }
    this.#stopTicking()
  }

  /** Until a busy writer may cut its next row. A commit that took longer was time enough. */
  async #gather({ sentAt }: PendingRow): Promise<void> {
    const wait = GATHER_MS - (this.#clock.monotonic() - sentAt)
    if (wait >= 1 && !this.#stopping) await sleep(this.#clock, wait)
  }

  /** The next row, or null when there is nothing to write. Due work is left alone while an unapplied row may be doing it. */
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
      ...{ timeline: this.#tenure.timeline, epoch: this.#tenure.epoch, firstSeq, lastSeq: firstSeq + encoded.length - 1, at },
      ...{ ...this.#replica.state(), commands: Buffer.concat(encoded), previousChecksum: this.#committed.checksum },
    })
    return { row, swept, callers, sentAt: this.#clock.monotonic() }
  }

  /** Whether the row was written. */
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
   * The connection was lost and nobody knows whether the row was written. Takes the lease again and looks: the head is the row, so it
   * was; the head is the one before, so it is sent again; anything else is another writer's. A row for which nobody waits any more is
   * not sent again: by then the engine may have forgotten that one of its commands was a retry of what happened already.
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

  /** Commits do not renew the lease: they only hold its row. */
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

  /** As `#settle`, with nothing in doubt. */
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
    // The lock went with the connection, so somebody else may have it by now. Verified again by the renewal that comes next.
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

  /** Until a command comes, something is due, or it is time to renew the lease. */
  #rest(): Promise<void> {
    if (this.#stopping || this.#intake.size > 0) return Promise.resolve()
    const due = this.#replica.exchange.nextDue() ?? Number.POSITIVE_INFINITY
    const renewal = this.#verifiedAt + RENEW_MS - this.#clock.monotonic()
    const wait = Math.max(1, Math.min(renewal, due - this.now()))
    return new Promise((resolve) => {
      const forget = this.#clock.after(wait, resolve)
      this.#wake = () => {
        this.#wake = () => {} // the next thousand commands need not wake it again
        forget()
        resolve()
      }
    })
  }

  /** Ends long waits: a command that is in no row yet is withdrawn, one whose row is in flight for too long is answered as unknown. */
  #tick(): void {
    const now = this.#clock.monotonic()
    this.#intake.giveUp(now)
    if (this.#flying && now - this.#flying.sentAt > UNKNOWN_MS) for (const { reject } of this.#flying.callers) reject(new OutcomeUnknown())
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
