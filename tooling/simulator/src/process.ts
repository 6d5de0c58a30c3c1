import type { Command } from '@augury/engine/command'
import { Follower } from '@augury/venue/record/history/follower'
import type { Result } from '@augury/venue/record/log/applied-row'
import { Fenced } from '@augury/venue/record/log/journal'
import { catchUp, followUntilOurs } from '@augury/venue/record/log/recovery'
import { Damaged, type Replica } from '@augury/venue/record/log/replica'
import { Sequencer } from '@augury/venue/record/log/sequencer'
import { restoreReplica } from '@augury/venue/record/log/snapshots'
import { SimulatedJournal, simulatedReader, simulatedSnapshots } from './simulated-journal.ts'
import type { Store } from './store.ts'
import { type Faults, Wire } from './wire.ts'
import type { Host, World } from './world.ts'

/** Milliseconds between two attempts to start. */
const RETRY_MS = 500

/** A simulated process of the venue: the real recovery, sequencer and follower, on a simulated machine. */
export class Process {
  readonly host: Host
  readonly #world: World
  readonly #wire: Wire
  /** Commands between two snapshots. */
  readonly #snapshotEvery: number
  replica: Replica | null = null
  sequencer: Sequencer | null = null
  #follower: Follower | null = null
  /** Why it stopped by itself: fenced, damaged, or a bug. */
  fatal: Error | null = null
  #die: () => void = () => {}
  /** Resolves when it is dead and will answer nothing more. */
  readonly gone = new Promise<void>((resolve) => {
    this.#die = resolve
  })

  constructor(world: World, store: Store, faults: Faults, snapshotEvery: number) {
    this.#world = world
    this.#snapshotEvery = snapshotEvery
    this.host = world.host()
    this.#wire = new Wire(world, store, this.host, faults)
  }

  /** Whether it accepts commands. */
  get serving(): boolean {
    return this.host.alive && this.sequencer !== null
  }

  /** Becomes the writer as soon as possible and serves, with a follower unless disabled. */
  start(follows = true): void {
    this.#again(() => this.#write())
    if (follows) this.#again(() => this.#follow())
  }

  submit(command: Command): Promise<Result> {
    return this.sequencer!.submit(command)
  }

  /** Kills it at once. */
  kill(): void {
    this.host.alive = false
    this.#die()
  }

  #stop(error: Error): void {
    this.fatal ??= error
    this.kill()
  }

  /** Restarts work that a lost connection ended after a moment; any other error ends the process. */
  #again(task: () => Promise<void>): void {
    task().catch((error: Error) => {
      if (error.message !== 'connection lost' && !error.message.startsWith('The clocks')) this.#stop(error)
      else this.#world.after(RETRY_MS, () => this.#again(task), this.host)
    })
  }

  async #write(): Promise<void> {
    const { clock } = this.host
    const { store } = this.#wire
    const session = this.#wire.connect()
    const source = {
      reader: simulatedReader(this.#wire, session),
      snapshots: simulatedSnapshots(this.#wire, session),
      history: () => this.#wire.call(session, () => store.projection.head),
    }
    const journal = new SimulatedJournal(this.#wire)
    try {
      const { replica, tenure } = await followUntilOurs(source, journal, clock)
      this.replica = replica
      this.sequencer = new Sequencer({
        journal,
        replica,
        tenure,
        clock,
        onRow: () => this.#follower?.wake(),
        onFatal: (error) =>
          this.#stop(error instanceof Fenced && journal.isHolder ? new Error(`fenced without another writer: ${error.message}`) : error),
      })
    } catch (error) {
      await journal.close()
      throw error
    } finally {
      this.#wire.drop(session)
    }
  }

  async #follow(): Promise<void> {
    const session = this.#wire.connect()
    const { store } = this.#wire
    const journal = simulatedReader(this.#wire, session)
    const snapshots = simulatedSnapshots(this.#wire, session)
    const projected = await this.#wire.call(session, () => store.projection.head)
    const replica = await restoreReplica(journal, snapshots, projected.seq)
    await catchUp(journal, replica, undefined, projected.seq)
    if (replica.head.checksum !== projected.checksum) throw new Damaged(`history at ${projected.seq} is of another journal`)
    this.#follower = new Follower({
      journal,
      snapshots,
      replica,
      clock: this.host.clock,
      snapshotEvery: this.#snapshotEvery,
      project: (from, to, facts) => this.#wire.call(session, () => store.project(from, to, facts)),
      onProjected: () => {},
    })
    await this.#follower.run()
  }
}
