import { decodeCommands } from '@augury/engine/codec'
import { type Prng, prng } from '@augury/testing/prng'
import { damaged, damages } from './damage.ts'
import { drawFate, type SectorFate } from './disk.ts'
import { Process } from './process.ts'
import { Session } from './session.ts'
import { Store } from './store.ts'
import { Workload } from './workload.ts'
import { World } from './world.ts'

/** With more unsynced sectors than this, a sample of the subsets is tried. */
const ALL_SUBSETS = 4
const SOME_SUBSETS = 16
/** Commands between snapshots, so that crashes fall before, into and after them. */
const SNAPSHOT_EVERY = 60
/** Longest time that a recovery may take, in simulated milliseconds. */
const PATIENCE_MS = 10_000

/** The state at one moment of a run without faults: what a crash at that moment leaves. */
interface Moment {
  store: Store
  /** The last position answered by then, and how many commands were sent. */
  answered: number
  sent: number
}

export interface CrashReport {
  moments: number
  recoveries: number
  failure: string | null
}

/**
 * Runs a workload once, recording the state between any two events, and then recovers from each of these moments: after a process crash,
 * and after a power cut with each subset of the unsynced sectors kept (a sample of the subsets where there are many sectors).
 */
export async function crashEverywhere(seed: number, rows: number, limit = Number.POSITIVE_INFINITY): Promise<CrashReport> {
  const { moments, digests } = await record(seed, rows)
  const report: CrashReport = { moments: moments.length, recoveries: 0, failure: null }
  const random = prng(seed)
  for (const moment of shuffled(moments, limit === Number.POSITIVE_INFINITY ? null : random)) {
    for (const fates of outcomes(moment.store, random)) {
      if (report.recoveries >= limit) return report
      report.recoveries++
      report.failure = await recover(moment, fates, digests, random.integer(0, 2 ** 31))
      if (report.failure) return report
    }
  }
  return report
}

/**
 * Gives recovery a damaged journal: rows changed, missing, or from another history; or snapshots of another history beside a sound journal.
 * It must refuse, or reach a state that existed.
 */
export async function damageEverywhere(seed: number, rows: number, rounds: number): Promise<CrashReport> {
  const { moments, digests } = await record(seed, rows)
  const other = await record(seed + 1_000_003, rows)
  const random = prng(seed)
  const report: CrashReport = { moments: moments.length, recoveries: 0, failure: null }
  const sound = moments.filter(({ store }) => store.rows.length > 2)
  const elsewhere = other.moments.at(-1)!.store
  for (let round = 0; round < rounds; round++) {
    for (const [name, damage] of Object.entries(damages)) {
      const moment = random.pick(sound)
      const store = damaged(moment.store, damage, random, elsewhere.rows)
      if (random.chance(0.5)) store.snapshots = [] // then no snapshot covers the damage
      report.recoveries++
      report.failure = await survive(store, digests, name)
      if (report.failure) return report
    }
    const store = random.pick(sound).store.copy()
    store.snapshots = elsewhere.snapshots
    report.recoveries++
    report.failure = await survive(store, digests, 'snapshots of another history')
    if (report.failure) return report
  }
  return report
}

/** Checks that a process refuses what is damaged, or serves a state that existed. */
async function survive(store: Store, digests: Map<number, string>, name: string): Promise<string | null> {
  const world = new World(store.rows.length)
  const process = launch(world, store, 0)
  await world.run(() => process.serving || !process.host.alive, PATIENCE_MS)
  if (process.fatal && process.fatal.name !== 'Damaged') return `${name} stopped it with ${process.fatal.stack}`
  if (!process.serving && !process.fatal) return `${name} let it wait for ever`
  const isSound = store.isSound
  if (!process.serving) return isSound ? `${name} made it refuse a sound journal: ${process.fatal!.message}` : null
  const { seq } = process.replica!.head
  if (isSound && seq !== store.head.seq) return `${name} kept it at ${seq}`
  return process.replica!.exchange.digest() === digests.get(seq) ? null : `${name} was taken for the truth at ${seq}`
}

/** One run without faults, with a copy of the database at each moment, and the digest of the engine after each position. */
async function record(seed: number, rows: number): Promise<{ moments: Moment[]; digests: Map<number, string> }> {
  const world = new World(seed)
  const store = new Store('main', true)
  const process = launch(world, store, 5)
  const work = new Workload(seed, { accounts: 8, conditions: 3, leap: 0 })
  const moments: Moment[] = []
  let answered = 0
  let sent = 0
  let replies = 0
  let broken: Error | null = null
  const failed = (error: Error) => {
    broken ??= process.fatal ?? error
  }
  let kept = { version: -1, copy: store }
  world.onMoment = () => {
    if (kept.version !== store.version) kept = { version: store.version, copy: store.copy() }
    moments.push({ store: kept.copy, answered, sent })
  }
  await world.run(() => process.serving, PATIENCE_MS)
  while (store.rows.length < rows && !broken) {
    const burst = world.random.integer(1, 12)
    for (let i = 0; i < burst; i++) {
      const command = work.next(process.sequencer!.now())
      sent++
      process.submit(command).then(({ seq }) => {
        answered = Math.max(answered, seq)
        replies++
      }, failed)
    }
    const goal = store.rows.length + world.random.integer(0, 1)
    await world.run(() => store.rows.length >= goal, 1000)
  }
  await world.run(() => replies === sent, PATIENCE_MS)
  if (broken) throw broken
  return { moments, digests: digestsOf(store) }
}

function launch(world: World, store: Store, latency: number): Process {
  const process = new Process(world, store, { latency, reset: 0, down: false }, SNAPSHOT_EVERY)
  process.start(latency > 0)
  return process
}

/** The digest of an engine after each row, from a replay of the whole journal checked against the reference exchange. */
function digestsOf(store: Store): Map<number, string> {
  const session = new Session(true)
  const digests = new Map([[0, session.exchange.digest()]])
  for (const row of store.rows) {
    const failure = session.apply({ at: row.at, commands: decodeCommands(row.commands) }, false)
    if (failure) throw new Error(failure.what)
    digests.set(row.lastSeq, session.exchange.digest())
  }
  const failure = session.apply({ at: session.exchange.at, commands: [] }, true)
  if (failure) throw new Error(failure.what)
  return digests
}

/** The disks that a power cut at a moment may leave; the first is a plain process crash. */
function* outcomes(store: Store, random: Prng): Generator<Map<number, SectorFate> | null> {
  yield null
  const { pending } = store.disk
  if (pending.length === 0) return
  const all = pending.length <= ALL_SUBSETS
  for (let subset = 0; subset < (all ? 2 ** pending.length : SOME_SUBSETS); subset++) {
    yield new Map(pending.map((sector, i) => [sector, all ? (subset & (1 << i) ? 'kept' : 'lost') : drawFate(random)]))
  }
}

/** Recovers from one moment, and returns what is wrong with the result, or null. */
async function recover(
  moment: Moment,
  fates: Map<number, SectorFate> | null,
  digests: Map<number, string>,
  seed: number,
): Promise<string | null> {
  const world = new World(seed)
  const store = moment.store.copy()
  if (fates) {
    store.disk.cut((sector) => fates.get(sector)!, world.random)
    store.restart(world.now)
  }
  const process = launch(world, store, 0)
  await world.run(() => process.serving || !process.host.alive, PATIENCE_MS)
  if (!process.serving) return `did not come up: ${process.fatal?.message ?? 'it waits'}`
  const { seq } = process.replica!.head
  const wrong = `recovered ${seq} of ${moment.sent} sent and ${moment.answered} answered`
  if (seq < moment.answered) return `lost what it had answered: ${wrong}`
  if (seq > moment.sent && seq > moment.sent + sweepsIn(store)) return `has what was never sent: ${wrong}`
  if (process.replica!.exchange.digest() !== digests.get(seq)) return `is in a state that never was: ${wrong}`
  return null
}

/** Commands in the journal that no client sent. */
const sweepsIn = ({ rows }: Store): number =>
  rows.reduce((sum, { commands }) => sum + decodeCommands(commands).filter(({ type }) => type === 'sweep').length, 0)

/** All moments in order, or in a random one. */
function shuffled(moments: Moment[], random: Prng | null): Moment[] {
  if (!random) return moments
  return moments
    .map((moment) => ({ moment, rank: random.unit() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ moment }) => moment)
}
