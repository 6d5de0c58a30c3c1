import { randomUUID } from 'node:crypto'
import type { Command, Hex } from '@augury/engine/command'
import type { Exchange } from '@augury/engine/exchange'
import type { DeadManView } from '@augury/engine/views'
import { DEAD_MAN } from '@augury/wire/limits'
import { ServiceError } from '@augury/wire/service-error'

/** Heartbeats are not commands, so the engine gets a deadline that never comes, and the timeout is kept here. */
const NEVER = 2 ** 52
/** Longest gap between two ticks that counts as silence: in a longer one this process was paused and could hear nobody. */
const DEAF_MS = 1000

type Reason = DeadManView['reason']

/** The switch of an account. */
interface Switch {
  account: Hex
  /** Milliseconds of silence that fire it, or null while only its sockets count. */
  patience: number | null
  reason: Reason
  /** Monotonic milliseconds of the last sign of life. */
  aliveAt: number
  /** What the next heartbeat must name: empty when none came yet, null when another process knew it. */
  next: string | null
  /** Open sockets whose end fires it. */
  sockets: number
  /** What the engine remembers of it, for a process that takes over. */
  armed: string | null
}

/** What the switches need. */
export interface DeadManParts {
  exchange: Exchange
  submit(command: Command): Promise<unknown>
  /** Resolves when every request of an account that has arrived has submitted; undefined when none is being prepared. */
  ahead(account: Hex): Promise<void> | undefined
  /** Whether this process writes, and whether it can hear beats at the moment. */
  status(): { writer: string; verified: boolean }
  onError(error: Error): void
  /** Monotonic milliseconds. */
  monotonic?: () => number
}

/**
 * Dead-man switches: an account whose heartbeats stop, or whose socket ends, has all its open orders cancelled. To arm, disarm and fire are
 * commands; beats are remembered here. Whoever takes over gives each armed account one full timeout.
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

  /** A heartbeat; answers the id that the next one must name. Throws `stale_heartbeat` with the id that would have been right. */
  async beat(account: Hex, id: string, timeoutMs: number): Promise<string> {
    this.#lead()
    const known = this.#switches.get(account)
    const expected = known?.patience == null ? '' : known.next
    if (expected !== null && id !== expected) throw new ServiceError('stale_heartbeat', { extras: { heartbeat_id: expected } })
    const next = randomUUID()
    await this.#arm(known ?? this.#open(account), timeoutMs + DEAD_MAN.graceMs, next)
    return next
  }

  /** Fires after a time unless asked again; 0 disarms. Milliseconds. */
  async cancelAfter(account: Hex, timeoutMs: number): Promise<void> {
    this.#lead()
    const known = this.#switches.get(account)
    if (timeoutMs > 0) await this.#arm(known ?? this.#open(account), timeoutMs, known ? known.next : '')
    else if (known) await this.#disarm(known)
  }

  /** A socket whose end fires the switch has opened. When this is refused, its end fires nothing. */
  async connected(account: Hex): Promise<void> {
    this.#lead()
    const known = this.#switches.get(account) ?? this.#open(account)
    known.sockets++
    try {
      await this.#change(known, known.reason === 'disconnect' ? { patience: null } : {}) // it was waited for
    } catch (error) {
      known.sockets--
      this.#forgetIdle(known)
      throw error
    }
  }

  /** It has ended. */
  disconnected(account: Hex): void {
    this.#lead()
    const known = this.#switches.get(account)
    if (!known) return // this process has stopped writing: another waits for the account
    known.sockets = Math.max(0, known.sockets - 1) // one of before a takeover was never counted here
    this.#fire(known, 'disconnect')
  }

  /** Fires what was silent for too long. Runs several times a second. */
  tick(): void {
    const now = this.#monotonic()
    const silence = now - this.#tickedAt
    this.#tickedAt = now
    this.#lead()
    const isDeaf = silence > DEAF_MS || !this.#parts.status().verified
    for (const known of this.#switches.values()) {
      if (isDeaf) known.aliveAt = Math.min(now, known.aliveAt + silence)
      if (known.patience !== null && now - known.aliveAt >= known.patience) this.#fire(known, known.reason)
    }
  }

  /** After a takeover each armed account gets one full timeout; who does not write watches nobody. */
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

  /** Changes a switch and tells the engine. When the engine refuses, the switch stays as it was. */
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

  /** Forgets a switch that nothing fires and the engine has none of. */
  #forgetIdle(known: Switch): void {
    const { account, patience, sockets, armed } = known
    if (patience === null && sockets === 0 && armed === null && this.#switches.get(account) === known) this.#switches.delete(account)
  }

  /** Tells the engine what it does not know yet. */
  async #remember(known: Switch): Promise<void> {
    const { account, patience, sockets, reason } = known
    const lasting = patience ?? (sockets > 0 ? DEAD_MAN.usualMs + DEAD_MAN.graceMs : null)
    const armed = lasting === null ? null : `${lasting} ${reason}`
    if (armed === known.armed) return
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
   * Ends all orders of the account and the switch with them; sockets that are still open arm it again. What is there ends at once, and what
   * the account had sent and is still being looked at as soon as that is there: who fell silent will not cancel it.
   */
  #fire(known: Switch, reason: Reason): void {
    const { account } = known
    const end = () => this.#parts.submit({ type: 'cancel_all', account, condition: null, outcome: null, reason })
    const ended = end()
    const late = this.#parts.ahead(account)?.then(end)
    const told = this.#disarm(known)
    Promise.all([ended, late, told]).catch((error) => {
      if (!this.#isLeading) return // whoever writes now gives it another timeout
      this.#parts.onError(error)
      const still = this.#switches.get(account) ?? this.#open(account)
      Object.assign(still, { patience: 0, reason }) // again at the next tick
    })
  }
}
