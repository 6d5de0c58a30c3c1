import type { Prng } from '@augury/testing/prng'
import { drawFate } from './disk.ts'
import { logarithmic } from './swarm.ts'
import type { Scene } from './venue-run.ts'

/** The faults of a run, and their average frequency. */
export interface Disasters {
  /** Longest one-way delay to the database, in milliseconds. */
  latency: number
  /** Probability that the connection breaks during a call. */
  reset: number
  /** Whether the database detects torn records after a power cut. */
  careful: boolean
  /** Whether it loses commits that it acknowledged. Then acknowledgements cannot be kept, but nothing else may be wrong. */
  lies: boolean
  /** Whether bits flip in rows that were durable. Then the venue must refuse to serve them. */
  rot: boolean
  /** Whether the journal may be found damaged at all. */
  damage: boolean
  kills: number
  stalls: number
  rivals: number
  partitions: number
  coups: number
  outages: number
  powerCuts: number
  clockJumps: number
}

/** Draws the faults of a run: most runs have several kinds, some none. */
export function drawDisasters(random: Prng): Disasters {
  const often = (highest: number) => (random.chance(0.5) ? random.unit() * highest : 0)
  const careful = random.chance(0.7)
  const lies = random.chance(0.1)
  const rot = random.chance(0.1)
  return {
    latency: logarithmic(random, 1, 200),
    reset: random.pick([0, 0, 0.01, 0.05]),
    careful,
    lies,
    rot,
    damage: !careful || lies || rot,
    kills: often(3),
    stalls: often(2),
    rivals: often(2),
    partitions: often(2),
    coups: often(1),
    outages: often(1.5),
    powerCuts: often(2),
    clockJumps: often(2),
  }
}

/** A run with takeovers only: from a writer that does not know of it, or has just died. */
export function takeoversOnly(random: Prng): Disasters {
  const quiet = { lies: false, rot: false, damage: false, kills: 1.5, stalls: 1, outages: 0, powerCuts: 0, clockJumps: 0 }
  return { ...drawDisasters(random), ...quiet, latency: 20, reset: 0, careful: true, partitions: 1, rivals: 2, coups: 2 }
}

/** A run in which the database loses power again and again while processes that have not noticed still serve clients. */
export function powerCutsUnseen(random: Prng): Disasters {
  const quiet = { lies: false, rot: false, damage: false, kills: 0, stalls: 0, outages: 0, clockJumps: 0, coups: 0 }
  return { ...drawDisasters(random), ...quiet, reset: 0, careful: true, partitions: 6, rivals: 4, powerCuts: 6 }
}

/** Schedules the faults of a run at random times within so many milliseconds from now. */
export function strike(scene: Scene, milliseconds: number): void {
  const { world, disasters } = scene
  const { random } = world
  const kinds = {
    kills: () => killOne(scene),
    stalls: () => stallOne(scene),
    rivals: () => void scene.launch(),
    partitions: () => cutOff(scene),
    coups: () => coup(scene),
    outages: () => outage(scene),
    powerCuts: () => powerCut(scene),
    clockJumps: () => jump(scene),
  }
  for (const kind of Object.keys(kinds) as (keyof typeof kinds)[]) {
    const count = Math.floor(disasters[kind]) + (random.chance(disasters[kind] % 1) ? 1 : 0)
    for (let i = 0; i < count; i++) world.after(random.unit() * milliseconds, kinds[kind])
  }
}

/** A process dies and restarts after a while. The database may take a moment to notice. */
function killOne(scene: Scene): void {
  const { world } = scene
  const alive = scene.processes.filter(({ host }) => host.alive)
  if (alive.length > 0) world.random.pick(alive).kill()
  world.after(world.random.unit() * 5000, () => {
    if (scene.open) scene.launch()
  })
}

/** A process freezes, as in a long garbage collection, and then continues. */
function stallOne({ world, processes }: Scene): void {
  const alive = processes.filter(({ host }) => host.alive)
  if (alive.length === 0) return
  const { host } = world.random.pick(alive)
  host.stalledUntil = Math.max(host.stalledUntil, world.now + logarithmic(world.random, 10, 20_000))
}

/** The network between one process and the database fails for a while; its clients notice nothing. */
function cutOff({ world, processes }: Scene): void {
  const alive = processes.filter(({ host }) => host.alive)
  if (alive.length === 0) return
  const { host } = world.random.pick(alive)
  host.cutOffUntil = Math.max(host.cutOffUntil, world.now + logarithmic(world.random, 100, 20_000))
}

/** The writer is cut off for longer than its lease lasts, while another process is ready to take over. */
function coup(scene: Scene): void {
  const { world } = scene
  const writer = scene.serving()
  if (!writer) return
  writer.host.cutOffUntil = Math.max(writer.host.cutOffUntil, world.now + world.random.integer(4000, 15_000))
  scene.launch()
}

function outage({ world, faults }: Scene): void {
  faults.down = true
  world.after(logarithmic(world.random, 10, 15_000), () => {
    faults.down = false
  })
}

/** The database's machine loses power: each unsynced sector meets its fate, and later reads see what is left. */
function powerCut({ world, store, disasters }: Scene): void {
  const { random } = world
  store.disk.cut(() => drawFate(random), random)
  if (disasters.rot && store.disk.bytes.length > 0) store.disk.rot(random.integer(0, store.disk.bytes.length - 1), random)
  store.restart(world.now)
  if (disasters.lies) store.forget(random.integer(1, 5))
}

function jump({ world, processes }: Scene): void {
  const alive = processes.filter(({ host }) => host.alive)
  const range = world.random.pick([4_000, 3_600_000])
  if (alive.length > 0) world.random.pick(alive).host.skew += world.random.integer(-range, range)
}
