import { Fenced, type Journal, type JournalReader, type JournalRow, type Tenure } from '@augury/venue/record/log/journal'
import { SNAPSHOTS_KEPT, type SnapshotStore, snapshotHash } from '@augury/venue/record/log/snapshots'
import type { Session, Store } from './store.ts'
import type { Wire } from './wire.ts'

/** Milliseconds without a renewal after which a writer counts as dead. */
const LEASE_MS = 3000
/** Rows per read. */
const READ_ROWS = 32

/** The journal of a simulated process: every call crosses a network that may fail before or after it took effect. */
export class SimulatedJournal implements Journal {
  readonly stream: string
  readonly #wire: Wire
  readonly #store: Store
  readonly #holder: string
  #session: Session | null = null
  #epoch = 0
  #closed = false

  constructor(wire: Wire) {
    this.#wire = wire
    this.#store = wire.store
    this.#holder = `host-${wire.world.random.integer(0, 2 ** 31)}`
    this.stream = wire.store.stream
  }

  /** Whether this journal still holds the newest lease. */
  get isHolder(): boolean {
    return this.#store.lease?.holder === this.#holder
  }

  async acquire(): Promise<Tenure> {
    this.#drop()
    const session = this.#wire.connect()
    this.#session = session
    for (;;) {
      if (this.#closed) throw new Fenced('this journal is closed')
      const tenure = await this.#wire.call(session, () => this.#take(session))
      if (tenure) return tenure
      await this.#pause(100)
    }
  }

  async append(row: JournalRow): Promise<void> {
    const session = this.#connected()
    const store = this.#store
    const admitted = await this.#wire.call(session, () => {
      const admits = store.admits(row, session)
      if (admits) store.write(row)
      else store.lost.push(row)
      return admits
    })
    if (!admitted) throw new Fenced(`row ${row.firstSeq} has lost its place`)
    const committed = await this.#wire.call(session, () => {
      if (!store.admits(row, session)) return false
      store.commit(row)
      return true
    })
    if (!committed) throw new Fenced(`row ${row.firstSeq} has lost its place`)
  }

  async verify(): Promise<void> {
    const session = this.#connected()
    const proven = await this.#wire.call(session, () => {
      const { lease } = this.#store
      if (!lease || lease.session !== session || lease.epoch !== this.#epoch) return false
      lease.verifiedAt = this.#wire.world.now
      return true
    })
    if (!proven) throw new Fenced(`the lease is no longer of epoch ${this.#epoch}`)
  }

  read(afterSeq: number): Promise<JournalRow[]> {
    return simulatedReader(this.#wire, this.#connected()).read(afterSeq)
  }

  checksumAt(seq: number): Promise<string | null> {
    return simulatedReader(this.#wire, this.#connected()).checksumAt(seq)
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
      if (this.#wire.world.now - lease.verifiedAt > LEASE_MS) lease.session.open = false
      return null
    }
    const isAnothers = lease && lease.holder !== this.#holder
    if (isAnothers && lease.verifiedAt < store.servingSince && this.#wire.world.now - lease.verifiedAt <= LEASE_MS) return null
    const [epoch, timeline, verifiedAt] = [(lease?.epoch ?? 0) + 1, lease?.timeline ?? 1, this.#wire.world.now]
    store.rollBack()
    store.lease = { epoch, timeline, holder: this.#holder, session, verifiedAt }
    this.#epoch = epoch
    return { epoch, timeline, head: store.head, storeTime: this.#wire.world.now }
  }

  #drop(): void {
    this.#wire.drop(this.#session)
    this.#session = null
  }

  #connected(): Session {
    if (!this.#session) throw new Error('the journal has no connection')
    return this.#session
  }

  #pause(ms: number): Promise<void> {
    const { world, host } = this.#wire
    return new Promise((resolve) => void world.after(ms, resolve, host))
  }
}

/** Reads the journal over its owner's connection. */
export const simulatedReader = (wire: Wire, session: Session): JournalReader => ({
  stream: wire.store.stream,
  read: (afterSeq) => wire.call(session, () => wire.store.rowsAfter(afterSeq, READ_ROWS)),
  checksumAt: (seq) => wire.call(session, () => wire.store.checksumAt(seq)),
})

/** Snapshots beside the journal. An interrupted save keeps nothing; a corrupted one is listed but cannot be loaded. */
export const simulatedSnapshots = (wire: Wire, session: Session): SnapshotStore => ({
  save: (snapshot) =>
    wire.call(session, () => {
      const { store } = wire
      store.version++
      const others = store.snapshots.filter(({ seq }) => seq !== snapshot.seq)
      const kept = { ...snapshot, bytes: snapshot.bytes.slice(), hash: snapshotHash(snapshot.bytes) }
      store.snapshots = [...others, kept].sort((a, b) => b.seq - a.seq).slice(0, SNAPSHOTS_KEPT)
    }),
  newest: (below) =>
    wire.call(session, () => {
      const found = wire.store.snapshots.find(({ seq }) => seq < below)
      if (!found) return null
      return { seq: found.seq, snapshot: snapshotHash(found.bytes).equals(found.hash) ? found : null }
    }),
})
