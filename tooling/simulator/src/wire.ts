import type { Session, Store } from './store.ts'
import type { Host, World } from './world.ts'

/** Faults of the network between a process and the store. */
export interface Faults {
  /** Longest one-way delay of a call, in milliseconds. */
  latency: number
  /** Probability that the connection breaks, on the way there or on the way back. */
  reset: number
  /** Whether the store can be reached at all. */
  down: boolean
}

/** The network between one process and the store. */
export class Wire {
  readonly world: World
  readonly store: Store
  readonly host: Host
  readonly #faults: Faults

  constructor(world: World, store: Store, host: Host, faults: Faults) {
    this.world = world
    this.store = store
    this.host = host
    this.#faults = faults
  }

  /** Opens a connection. Whether the store is there shows with the first call. */
  connect(): Session {
    const session: Session = { open: true }
    this.store.sessions.add(session)
    return session
  }

  drop(session: Session | null): void {
    if (!session) return
    session.open = false
    this.store.sessions.delete(session)
  }

  /** Travels there, takes effect at the store, travels back. The effect happens even when its sender is gone. */
  call<T>(session: Session, effect: () => T): Promise<T> {
    const { random } = this.world
    const way = () => Math.max(0, this.host.cutOffUntil - this.world.now) + random.unit() ** 3 * this.#faults.latency
    return new Promise((resolve, reject) => {
      const fail = () => {
        this.drop(session)
        this.world.after(0, () => reject(new Error('connection lost')), this.host)
      }
      this.world.after(way(), () => {
        if (!session.open || this.#faults.down || this.store.unreadable || random.chance(this.#faults.reset)) return fail()
        let result: T
        try {
          result = effect()
        } catch (error) {
          this.world.after(way(), () => reject(error), this.host)
          return
        }
        if (random.chance(this.#faults.reset)) return fail()
        this.world.after(way(), () => (session.open ? resolve(result) : reject(new Error('connection lost'))), this.host)
      })
    })
  }
}
