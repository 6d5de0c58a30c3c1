import type { Hex } from '@augury/engine/command'
import type { DeadMan } from './dead-man.ts'

type Switch = Pick<DeadMan, 'connected' | 'disconnected' | 'cutOff'>

/** Cancel-on-disconnect of one socket: arms the account's dead-man switch, and tells it once when the socket has ended. */
export class DisconnectGuard {
  readonly #deadMan: Switch
  readonly #account: Hex
  #isArmed = false
  /** How the socket ended; null while it is open. `cutOff`: the service closed it, and not for anything that its client did. */
  #ended: 'cutOff' | 'disconnected' | null = null

  constructor(deadMan: Switch, account: Hex) {
    this.#deadMan = deadMan
    this.#account = account
  }

  /** Arms it. Rejects when that failed: then the end of the socket cancels nothing. */
  async arm(): Promise<void> {
    await this.#deadMan.connected(this.#account)
    this.#isArmed = true
    if (this.#ended) this.#tell(this.#ended)
  }

  /** Call once when the socket has closed; also while `arm` is under way. */
  end(how: 'cutOff' | 'disconnected'): void {
    this.#ended = how
    if (this.#isArmed) this.#tell(how)
  }

  #tell(how: 'cutOff' | 'disconnected'): void {
    if (how === 'cutOff') this.#deadMan.cutOff(this.#account)
    else this.#deadMan.disconnected(this.#account)
  }
}
