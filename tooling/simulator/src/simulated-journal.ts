import { Fenced, type Journal, type JournalRow, type Tenure } from '@augury/venue/journal'
import { SNAPSHOTS_KEPT, type SnapshotStore, type StoredSnapshot } from '@augury/venue/snapshots'
import type { Session, Store } from './store.ts'
import type { Host, World } from './world.ts'

/** A writer that gave no sign of life for so long (ms) is taken for dead. */
const LEASE_MS = 3000
/** Rows handed out in one read. */
const READ_ROWS = 32

/** What may go wrong between a process and the store. */
export interface Faults {
  /** Milliseconds a call takes on each of its ways, at most. */
  latency: number
  /** How often a connection breaks: on the way there, or on the way back. */
  reset: number
  /** Whether the store can be reached at all. */
  down: boolean
}

/** The journal of a simulated process: every call crosses a wire that may break before or after it took effect. */
export class SimulatedJournal implements Journal {
  readonly stream: string
  readonly #world: World
  readonly #store: Store
  readonly #host: Host
  readonly #faults: Faults
  readonly #holder: string
  #session: Session | null = null
  #epoch = 0
  #closed = false

  constructor(world: World, store: Store, host: Host, faults: Faults) {
    this.#world = world
    this.#store = store
    this.#host = host
    this.#faults = faults
    this.#holder = `host-${world.random.integer(0, 2 ** 31)}`
    this.stream = store.stream
  }

  async acquire(): Promise<Tenure> {
    this.#drop()
    const session: Session = { open: true }
    this.#store.sessions.add(session)
    this.#session = session
    for (;;) {
      if (this.#closed) throw new Fenced('this journal is closed')
      const tenure = await this.#call(session, () => this.#take(session))
      if (tenure) return tenure
      await this.#pause(100)
    }
  }

  async append(row: JournalRow): Promise<void> {
    const session = this.#connected()
    const store = this.#store
    const admitted = await this.#call(session, () => {
      const admits = store.admits(row, session)
      if (admits) store.write(row)
      else store.lost.push(row)
      return admits
    })
    if (!admitted) throw new Fenced(`row ${row.firstSeq} has lost its place`)
    const committed = await this.#call(session, () => {
      if (!store.admits(row, session)) return false
      store.commit(row)
      return true
    })
    if (!committed) throw new Fenced(`row ${row.firstSeq} has lost its place`)
  }

  async verify(): Promise<void> {
    const session = this.#connected()
    const proven = await this.#call(session, () => {
      const { lease } = this.#store
      if (!lease || lease.session !== session || lease.epoch !== this.#epoch) return false
      lease.verifiedAt = this.#world.now
      return true
    })
    if (!proven) throw new Fenced(`the lease is no longer of epoch ${this.#epoch}`)
  }

  read(afterSeq: number): Promise<JournalRow[]> {
    return this.#call(this.#connected(), () => this.#store.rows.filter((row) => row.firstSeq > afterSeq).slice(0, READ_ROWS))
  }

  checksumAt(seq: number): Promise<string | null> {
    return this.#call(this.#connected(), () => this.#store.rows.find((row) => row.lastSeq === seq)?.checksum ?? null)
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#drop()
  }

  #take(session: Session): Tenure | null {
    const store = this.#store
    const { lease } = store
    if (this.#epoch > 0 && lease?.holder !== this.#holder) throw new Fenced('the stream was taken by another')
    if (lease?.session?.open) {
      if (this.#world.now - lease.verifiedAt > LEASE_MS) lease.session.open = false
      return null
    }
    const [epoch, timeline, verifiedAt] = [(lease?.epoch ?? 0) + 1, lease?.timeline ?? 1, this.#world.now]
    store.lease = { epoch, timeline, holder: this.#holder, session, verifiedAt }
    this.#epoch = epoch
    return { epoch, timeline, head: store.head, storeTime: this.#world.now }
  }

  #drop(): void {
    if (!this.#session) return
    this.#session.open = false
    this.#store.sessions.delete(this.#session)
    this.#session = null
  }

  #connected(): Session {
    if (!this.#session) throw new Error('the journal has no connection')
    return this.#session
  }

  /** One way there, the effect at the store, one way back. The effect happens even when nobody is left to hear of it. */
  #call<T>(session: Session, effect: () => T): Promise<T> {
    const { random } = this.#world
    const way = () => random.unit() ** 3 * this.#faults.latency
    return new Promise((resolve, reject) => {
      const fail = () => {
        session.open = false
        this.#store.sessions.delete(session)
        this.#world.after(0, () => reject(new Error('connection lost')), this.#host)
      }
      this.#world.after(way(), () => {
        if (!session.open || this.#faults.down || random.chance(this.#faults.reset)) return fail()
        let result: T
        try {
          result = effect()
        } catch (error) {
          this.#world.after(way(), () => reject(error), this.#host)
          return
        }
        if (random.chance(this.#faults.reset)) return fail()
        this.#world.after(way(), () => (session.open ? resolve(result) : reject(new Error('connection lost'))), this.#host)
      })
    })
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#world.after(ms, resolve, this.#host))
  }
}

/** Snapshots beside the journal. A save that is cut off keeps nothing. */
export function simulatedSnapshots(store: Store): SnapshotStore {
  return {
    async save(snapshot: StoredSnapshot): Promise<void> {
      const others = store.snapshots.filter(({ seq }) => seq !== snapshot.seq)
      store.snapshots = [...others, { ...snapshot, bytes: snapshot.bytes.slice() }].sort((a, b) => b.seq - a.seq).slice(0, SNAPSHOTS_KEPT)
    },
    async newest(below) {
      const snapshot = store.snapshots.find(({ seq }) => seq < below)
      return snapshot ? { seq: snapshot.seq, snapshot } : null
    },
  }
}
