import type { Command, Hex } from '@augury/engine/command'
import { OutcomeUnknown } from '@augury/venue/record/log/outcome-unknown'
import { compareStates } from './compare.ts'
import { type Disasters, drawDisasters, strike } from './disasters.ts'
import { asJson, type History, judge, type Operation } from './history.ts'
import { Process } from './process.ts'
import { Store } from './store.ts'
import { logarithmic } from './swarm.ts'
import type { Faults } from './wire.ts'
import { Workload } from './workload.ts'
import { World } from './world.ts'
import { checkHistory } from './written-history.ts'

/** Longest time in milliseconds that a client waits for an answer; most give up earlier. */
const PATIENCE_MS = 40_000
/** Milliseconds after the faults end within which everything must work again. */
const RECOVERY_MS = 30_000
/** Milliseconds that a process may need to notice that it was replaced while it was frozen. */
const SETTLE_MS = 5_000
const ANSWER_MS = 5_000

export interface VenueRun {
  answers: number
  starts: number
  /** The failure, or null. */
  failure: string | null
}

/** The venue in a simulated world, with its clients and faults. */
export class Scene {
  readonly world: World
  readonly store: Store
  readonly faults: Faults
  readonly disasters: Disasters
  readonly processes: Process[] = []
  readonly history: History = { operations: [], looks: [] }
  readonly work: Workload
  readonly snapshotEvery: number
  starts = 0
  /** Whether clients keep sending. */
  open = true
  #waiting = 0
  #sockets = 0

  constructor(seed: number, disasters: (random: World['random']) => Disasters = drawDisasters) {
    this.world = new World(seed)
    const { random } = this.world
    this.disasters = disasters(random)
    this.store = new Store('main', this.disasters.careful)
    this.faults = { latency: this.disasters.latency, reset: this.disasters.reset, down: false }
    this.snapshotEvery = logarithmic(random, 5, 200)
    this.work = new Workload(seed, { accounts: logarithmic(random, 2, 20), conditions: logarithmic(random, 1, 8), leap: 0 })
  }

  get waiting(): number {
    return this.#waiting
  }

  /** Starts a new process on a new machine. */
  launch(): Process {
    const process = new Process(this.world, this.store, this.faults, this.snapshotEvery)
    this.processes.push(process)
    this.starts++
    process.start()
    return process
  }

  /** The process that a client would reach: any that serves. */
  serving(): Process | null {
    const able = this.processes.filter((process) => process.serving)
    return able.length > 0 ? this.world.random.pick(able) : null
  }

  /** One client: sends, waits for the answer, pauses, sends again. */
  async client(think: number): Promise<void> {
    const { random } = this.world
    while (this.open) {
      await this.world.sleep(random.unit() * think)
      const process = this.serving()
      if (!process) continue
      if (random.chance(0.2)) this.look(process)
      else await this.ask(process)
    }
  }

  /**
   * A market maker with a trading socket: many commands are under way at once. Some of those without an answer are sent again over the next
   * socket, which may lead to another process.
   */
  async maker(think: number): Promise<void> {
    const { random } = this.world
    let again: Command[] = []
    while (this.open) {
      await this.world.sleep(random.unit() * think)
      const process = this.serving()
      if (!process) continue
      const socket = ++this.#sockets
      const fresh = Array.from({ length: logarithmic(random, 2, 20) }, () => this.work.next(process.sequencer!.now()))
      const done = await Promise.all([...again, ...fresh].map((command) => this.ask(process, command, socket)))
      again = done.flatMap(({ outcome, command }) => (outcome === 'unknown' && random.chance(0.5) ? [command] : []))
    }
  }

  /** Sends one command and records the result. */
  async ask(process: Process, command = this.work.next(process.sequencer!.now()), socket: number | null = null): Promise<Operation> {
    const operation: Operation = { command, sentAt: this.world.now, answeredAt: null, outcome: 'unknown', seq: 0, at: 0, told: '', socket }
    this.history.operations.push(operation)
    this.#waiting++
    const answer = process.submit(command).then(
      ({ seq, at, events }) => {
        Object.assign(operation, { outcome: 'answered', answeredAt: this.world.now, seq, at, told: asJson(events) })
      },
      (error: Error) => {
        if (!(error instanceof OutcomeUnknown)) Object.assign(operation, { outcome: 'never', told: String(error) })
      },
    )
    await Promise.race([answer, process.gone, this.world.sleep(logarithmic(this.world.random, 1000, PATIENCE_MS))])
    this.#waiting--
    return operation
  }

  /** Looks up an order, as a signed read would: only while the lease is verified, and not from a frozen process. */
  look(process: Process): void {
    const orderId: Hex | undefined = this.work.known(false)?.orderId
    if (!orderId || process.host.stalledUntil > this.world.now || !process.sequencer!.verified) return
    const { exchange } = process.replica!
    this.history.looks.push({ time: this.world.now, seq: exchange.seq, orderId, shown: asJson(exchange.order(orderId)) })
  }
}

/** Runs the venue through the faults of one seed, then checks what its clients saw against its journal. */
export async function runVenue(seed: number, milliseconds: number, disasters?: (random: World['random']) => Disasters): Promise<VenueRun> {
  const scene = new Scene(seed, disasters)
  const { world, history } = scene
  const { random } = world
  const clients = logarithmic(random, 1, 12)
  const think = logarithmic(random, 50, 1000)
  scene.launch()
  for (let i = 0; i < clients; i++) void scene.client(think)
  for (let i = random.integer(0, 3); i > 0; i--) void scene.maker(2 * think)
  strike(scene, milliseconds)
  await world.run(() => false, milliseconds)
  const failure = (await heal(scene)) ?? verdict(scene)
  const answers = history.operations.filter(({ outcome }) => outcome === 'answered').length
  return { answers, starts: scene.starts, failure }
}

/** The faults end: the venue must recover by itself, answer everybody, and answer a new request soon. */
async function heal(scene: Scene): Promise<string | null> {
  const { world, faults, processes } = scene
  scene.open = false
  Object.assign(faults, { latency: Math.min(faults.latency, 20), reset: 0, down: false })
  const bug = processes.find(({ fatal }) => fatal && !excused(scene, fatal))
  if (bug) return `the process stopped by a bug: ${bug.fatal!.stack}`
  const damaged = processes.find(({ fatal }) => fatal?.name === 'Damaged')
  if (damaged && !scene.disasters.damage) return `an undamaged journal was refused: ${damaged.fatal!.stack}`
  for (const process of processes) process.host.skew = 0
  await world.run(
    () => false,
    Math.max(0, ...processes.map(({ host }) => Math.max(host.stalledUntil, host.cutOffUntil) - world.now)) + SETTLE_MS,
  )
  if (!(await world.run(() => scene.waiting === 0, PATIENCE_MS))) return `${scene.waiting} clients never got an answer`
  for (let attempt = 0; attempt < 3; attempt++) {
    if (!processes.some(({ host }) => host.alive)) scene.launch()
    await world.run(() => scene.serving() !== null || processes.every(({ host }) => !host.alive), RECOVERY_MS)
    const process = scene.serving()
    if (process && (await answers(scene, process))) return null
    if (!scene.disasters.damage) return process ? 'a healthy venue did not answer in time' : 'the venue did not come back after the faults'
  }
  return null
}

/** Whether a process was right to stop: another took its place, or it found real damage. */
function excused({ disasters }: Scene, error: Error): boolean {
  return ['Fenced', 'Damaged'].includes(error.name) || (disasters.damage && error.message.startsWith('fenced without another writer'))
}

/** Whether a process answers a new request in time. */
async function answers(scene: Scene, process: Process): Promise<boolean> {
  let operation: Operation | null = null
  void scene.ask(process).then((done) => {
    operation = done
  })
  await scene.world.run(() => operation !== null, ANSWER_MS)
  return (operation as Operation | null)?.outcome === 'answered'
}

/** The history that still holds when the database lost acknowledged rows: what was sent, but no results. */
function forgotten({ operations }: History): History {
  return { operations: operations.map((operation) => ({ ...operation, outcome: 'unknown' })), looks: [] }
}

/** Whether the clients' records, the journal and the process agree. */
function verdict(scene: Scene): string | null {
  const { store, history, disasters } = scene
  const exchange = scene.serving()?.replica?.exchange
  if (disasters.damage && (store.unreadable || !store.isSound || !exchange)) return null // what it refuses to serve cannot be wrong
  const { wrong, session } = judge(store.rows, disasters.lies ? forgotten(history) : history)
  if (wrong) return wrong
  const written = disasters.lies ? null : checkHistory(store)
  if (written) return written
  if (!exchange) return null
  if (exchange.digest() !== session.exchange.digest()) return 'the process and a replay of its journal have different digests'
  const difference = compareStates(exchange, session.naive!)
  return difference && `${difference.where}: ${asJson(difference.engine)} is ${asJson(difference.naive)} by replay`
}
