import { randomUUID } from 'node:crypto'
import type { Command, Hex } from '@augury/engine/command'
import type { Exchange } from '@augury/engine/exchange'
import type { DeadManView } from '@augury/engine/views'
import { DEAD_MAN } from '@augury/wire/limits'
import { ServiceError } from '@augury/wire/service-error'

/** Heartbeats are not commands: the engine gets a deadline that never comes, plus the timeout, and the timing happens here. */
const NEVER = 2 ** 52
/** The longest gap between two ticks that counts against an account: in a longer one this process was paused and could receive nothing. */
const DEAF_MS = 1000
/** The silence that fires a switch whose account named none. */
const USUAL_SILENCE_MS = DEAD_MAN.usualMs + DEAD_MAN.graceMs

type Reason = DeadManView['reason']

/** The switch of an account. */
interface Switch {
  account: Hex
  /** Milliseconds of silence that fire it, or null while only its sockets count. */
  patience: number | null
  reason: Reason
  /** Monotonic milliseconds of the last sign of life. */
  aliveAt: number
  /** The id that the next heartbeat must name: empty before the first, null when only the former writer knew it. */
  next: string | null
  /** Open sockets whose closing fires it. */
  sockets: number
  /** What the engine stores of it, for a process that takes over: patience and reason; null when disarmed. */
  armed: string | null
}

/** What the switches depend on. */
export interface DeadManParts {
  exchange: Exchange
  submit(command: Command): Promise<unknown>
  /** Resolves when every request of an account that has arrived has submitted; undefined when none is being prepared. */
  ahead(account: Hex): Promise<void> | undefined
  /** Whether this process is the writer, and whether its lease is verified: without, it receives no heartbeats. */
  status(): { writer: string; verified: boolean }
  onError(error: Error): void
  /** Monotonic milliseconds. */
  monotonic?: () => number
}

/**
 * Dead-man switches: when an account's heartbeats stop, or its socket closes, all its open orders are cancelled. Arming, disarming and
 * firing are commands; heartbeats are only remembered here, so after a takeover each armed account gets one full timeout.
 */
export class DeadMan {
  readonly #parts: DeadManParts
  readonly #monotonic: () => number
  readonly #switches = new Map<Hex, Switch>()
  #isLeading = false
  #tickedAt: number

  constructor(parts: DeadManParts) {
    this.#parts = parts
    this.#monotonic = parts.monotonic ?? (() => performance.now())
    this.#tickedAt = this.#monotonic()
  }

  /** Takes a heartbeat; returns the id that the next one must name. Throws `stale_heartbeat` with the id that was expected. */
  async beat(account: Hex, id: string, timeoutMs: number): Promise<string> {
    this.#lead()
    const known = this.#switches.get(account)
    const expected = known?.patience == null ? '' : known.next
    if (expected !== null && id !== expected) throw new ServiceError('stale_heartbeat', { extras: { heartbeat_id: expected } })
    const next = randomUUID()
    await this.#arm(known ?? this.#open(account), timeoutMs + DEAD_MAN.graceMs, next)
    return next
  }

  /** Takes a heartbeat of a client that knows no ids. A chain of ids begins anew, as if none had been given out. */
  async plainBeat(account: Hex): Promise<void> {
    this.#lead()
    await this.#arm(this.#switches.get(account) ?? this.#open(account), USUAL_SILENCE_MS, '')
  }

  /** Fires after `timeoutMs` unless called again; 0 disarms. */
  async cancelAfter(account: Hex, timeoutMs: number): Promise<void> {
    this.#lead()
    const known = this.#switches.get(account)
    if (timeoutMs > 0) await this.#arm(known ?? this.#open(account), timeoutMs, known ? known.next : '')
    else if (known) await this.#disarm(known)
  }

  /** A socket whose closing fires the switch has opened. Rejects when arming failed: then its closing fires nothing. */
  async connected(account: Hex): Promise<void> {
    this.#lead()
    const known = this.#switches.get(account) ?? this.#open(account)
    known.sockets++
    try {
      await this.#change(known, known.reason === 'disconnect' ? { patience: null } : {})
    } catch (error) {
      known.sockets--
      this.#forgetIdle(known)
      throw error
    }
  }

  /** That socket has closed. */
  disconnected(account: Hex): void {
    const known = this.#withoutSocket(account)
    if (known) this.#fire(known, 'disconnect')
  }

  /**
   * That socket was closed because this process may not speak for the exchange at the moment: its client did nothing, and has one full
   * timeout to come back, as after a takeover.
   */
  cutOff(account: Hex): void {
    const known = this.#withoutSocket(account)
    if (known?.patience === null) Object.assign(known, { patience: USUAL_SILENCE_MS, aliveAt: this.#monotonic() })
  }

  /** The switch of an account, one of whose sockets is gone; undefined when another process watches the account by now. */
  #withoutSocket(account: Hex): Switch | undefined {
    this.#lead()
    const known = this.#switches.get(account)
    if (known) known.sockets = Math.max(0, known.sockets - 1) // sockets of before a takeover were never counted here
    return known
  }

  /** Fires the switches of accounts that were silent for too long. Called several times a second. */
  tick(): void {
    const now = this.#monotonic()
    const silence = now - this.#tickedAt
    this.#tickedAt = now
    this.#lead()
    const isDeaf = silence > DEAF_MS || !this.#parts.status().verified
    for (const known of this.#switches.values()) {
      if (isDeaf) known.aliveAt = Math.min(now, known.aliveAt + silence)
      if (known.patience !== null && now - known.aliveAt >= known.patience) this.#fire(known, known.reason)
      else if (known.armed === null) this.#remember(known).catch(() => {}) // the next tick tries again
    }
  }

  /** After a takeover gives each armed account one full timeout; a process that is not the writer watches no account. */
  #lead(): void {
    const isLeading = this.#parts.status().writer === 'primary'
    if (isLeading === this.#isLeading) return
    this.#isLeading = isLeading
    this.#switches.clear()
    if (!isLeading) return
    for (const { account, deadline, reason } of this.#parts.exchange.deadMen()) {
      if (deadline < NEVER) continue
      const known = this.#open(account)
      Object.assign(known, { patience: deadline - NEVER, reason, next: null, armed: `${deadline - NEVER} ${reason}` })
    }
  }

  #open(account: Hex): Switch {
    const opened: Switch = { account, patience: null, reason: 'disconnect', aliveAt: this.#monotonic(), next: '', sockets: 0, armed: null }
    this.#switches.set(account, opened)
    return opened
  }

  async #arm(known: Switch, patience: number, next: string | null): Promise<void> {
    known.aliveAt = this.#monotonic()
    await this.#change(known, { patience, next, reason: 'heartbeat' })
  }

  async #disarm(known: Switch): Promise<void> {
    await this.#change(known, { patience: null, next: '', reason: 'disconnect' })
  }

  /** Changes a switch and has the engine store it. When that is refused, the switch stays as it was. */
  async #change(known: Switch, to: Partial<Pick<Switch, 'patience' | 'next' | 'reason'>>): Promise<void> {
    const before = { patience: known.patience, next: known.next, reason: known.reason }
    const { patience, next } = Object.assign(known, to)
    try {
      await this.#remember(known)
    } catch (error) {
      const isLast = known.patience === patience && known.next === next
      if (error instanceof ServiceError && isLast) Object.assign(known, before)
      throw error
    } finally {
      this.#forgetIdle(known)
    }
  }

  /** Forgets a switch that nothing can fire and the engine does not store. */
  #forgetIdle(known: Switch): void {
    const { account, patience, sockets, armed } = known
    if (patience === null && sockets === 0 && armed === null && this.#switches.get(account) === known) this.#switches.delete(account)
  }

  /** Has the engine store what it does not store yet. */
  async #remember(known: Switch): Promise<void> {
    const { account, patience, sockets, reason } = known
    const lasting = patience ?? (sockets > 0 ? USUAL_SILENCE_MS : null)
    const armed = lasting === null ? null : `${lasting} ${reason}`
    if (armed === known.armed) return
    // Accounts cost nothing, and the journal is kept for ever. What has nothing has no orders: its switch is stored once it has something.
    if (known.armed === null && this.#parts.exchange.hasNothing(account)) return
    const before = known.armed
    known.armed = armed
    try {
      await this.#parts.submit({ type: 'dead_man', account, deadline: lasting === null ? 0 : NEVER + lasting, reason })
    } catch (error) {
      if (known.armed === armed) known.armed = before
      throw error
    }
  }

  /**
   * Cancels all orders of the account and disarms the switch; sockets that are still open arm it again. Open orders end at once. Requests
   * that have arrived and are still being prepared get a second cancel once they have submitted: a silent client will not cancel them.
   */
  #fire(known: Switch, reason: Reason): void {
    const { account, aliveAt } = known
    const end = async () => {
      if (this.#parts.exchange.hasNothing(account)) return
      await this.#parts.submit({ type: 'cancel_all', account, condition: null, outcome: null, reason })
    }
    const ended = end()
    const late = this.#parts.ahead(account)?.then(end)
    const disarmed = this.#disarm(known)
    Promise.all([ended, late, disarmed]).catch((error) => {
      if (!this.#isLeading) return // the new writer gives it another timeout
      this.#parts.onError(error)
      const still = this.#switches.get(account) ?? this.#open(account)
      // An account that spoke since then is not silent. A socket that has closed stays closed, whatever is said beside it.
      if (reason === 'heartbeat' && still.patience !== null && still.aliveAt > aliveAt) return
      Object.assign(still, { patience: 0, reason }) // again at the next tick
    })
  }
}
