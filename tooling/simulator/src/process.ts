import type { Command } from '@augury/engine/command'
import { Fenced, type Journal } from '@augury/venue/journal'
import { catchUp, checkClocks } from '@augury/venue/recovery'
import { Damaged, type Replica } from '@augury/venue/replica'
import { Sequencer } from '@augury/venue/sequencer'
import { restoreReplica, snapshotOf } from '@augury/venue/snapshots'
import type { AppliedRow, Result } from '@augury/venue/venue'
import { type Faults, SimulatedJournal, simulatedSnapshots } from './simulated-journal.ts'
import type { Store } from './store.ts'
import type { Host, World } from './world.ts'

/** Milliseconds between two tries to start. */
const RETRY_MS = 500

/** A simulated process of the venue: the real recovery and the real sequencer, on a simulated machine. */
export class Process {
  readonly host: Host
  readonly #world: World
  readonly #store: Store
  readonly #journal: Journal
  /** Commands between two snapshots. */
  readonly #snapshotEvery: number
  replica: Replica | null = null
  sequencer: Sequencer | null = null
  /** Why it stopped by itself: fenced, damaged, or a bug. */
  fatal: Error | null = null
  #snapshotAt = 0
  #goneNow: () => void = () => {}
  /** Resolves when it is dead: then no answer comes any more. */
  readonly gone = new Promise<void>((resolve) => {
    this.#goneNow = resolve
  })

  constructor(world: World, store: Store, faults: Faults, snapshotEvery: number) {
    this.#world = world
    this.#store = store
    this.#snapshotEvery = snapshotEvery
    this.host = world.host()
    this.#journal = new SimulatedJournal(world, store, this.host, faults)
  }

  /** Whether it takes commands. */
  get serving(): boolean {
    return this.host.alive && this.sequencer !== null && this.fatal === null
  }

  /** Becomes the writer as soon as it may, then serves. A database that cannot be reached is tried again. */
  start(): void {
    this.#start().catch((error: Error) => {
      if (error instanceof Fenced || error instanceof Damaged) this.stop(error)
      else this.#world.after(RETRY_MS, () => this.start(), this.host)
    })
  }

  submit(command: Command): Promise<Result> {
    return this.sequencer!.submit(command)
  }

  /** Dies on the spot. */
  kill(): void {
    this.host.alive = false
    this.#goneNow()
  }

  stop(error: Error): void {
    this.fatal = error
    this.kill()
  }

  async #start(): Promise<void> {
    const journal = this.#journal
    const tenure = await journal.acquire()
    checkClocks(this.host.clock.wall(), tenure.storeTime)
    const replica = await restoreReplica(journal, simulatedSnapshots(this.#store))
    await catchUp(journal, replica)
    if (replica.head.checksum !== tenure.head.checksum) throw new Fenced('somebody wrote while this process started')
    this.replica = replica
    this.#snapshotAt = replica.head.seq
    this.sequencer = new Sequencer({
      journal,
      replica,
      tenure,
      clock: this.host.clock,
      onRow: (row) => this.#applied(row),
      onFatal: (error) => this.stop(error),
    })
  }

  #applied({ lastSeq }: AppliedRow): void {
    if (lastSeq - this.#snapshotAt < this.#snapshotEvery) return
    this.#snapshotAt = lastSeq
    const snapshot = snapshotOf(this.replica!)
    const { random } = this.#world
    this.#world.after(random.integer(0, 50), () => void simulatedSnapshots(this.#store).save(snapshot), this.host)
  }
}
