import type { Prng } from '@augury/testing/prng'
import { drawFate } from './disk.ts'
import { logarithmic } from './swarm.ts'
import type { Scene } from './venue-run.ts'

/** What a run has to live through, and how often on average. */
export interface Disasters {
  /** Most milliseconds of one way to the database. */
  latency: number
  /** Share of calls whose connection breaks. */
  reset: number
  /** Whether the database notices by itself what a power cut did to it. */
  careful: boolean
  /** Whether it forgets commits it has promised. Then acknowledgements cannot be kept, but nothing else may be wrong. */
  lies: boolean
  /** Whether bits turn over in rows that were safe. Then the venue has to refuse. */
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

/** Draws the troubles of a run: most runs have several kinds, some have none. */
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

/** A run whose only trouble is that another process takes over: from a writer that does not know, or has just died. */
export function takeoversOnly(random: Prng): Disasters {
  const quiet = { lies: false, rot: false, damage: false, kills: 1.5, stalls: 1, outages: 0, powerCuts: 0, clockJumps: 0 }
  return { ...drawDisasters(random), ...quiet, latency: 20, reset: 0, careful: true, partitions: 1, rivals: 2, coups: 2 }
}

/** A run in which the database is lost again and again while processes that may not hear of it still have their clients. */
export function powerCutsUnseen(random: Prng): Disasters {
  const quiet = { lies: false, rot: false, damage: false, kills: 0, stalls: 0, outages: 0, clockJumps: 0, coups: 0 }
  return { ...drawDisasters(random), ...quiet, reset: 0, careful: true, partitions: 6, rivals: 4, powerCuts: 6 }
}

/** Lets the troubles of a run happen at random times, until so many milliseconds from now. */
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

/** A process dies, and comes back after a while. The database may take a moment to notice. */
function killOne(scene: Scene): void {
  const { world } = scene
  const alive = scene.processes.filter(({ host }) => host.alive)
  if (alive.length > 0) world.random.pick(alive).kill()
  world.after(world.random.unit() * 5000, () => {
    if (scene.open) scene.launch()
  })
}

/** A process stands still, as in a long collection of garbage, and goes on as if nothing had been. */
function stallOne({ world, processes }: Scene): void {
  const alive = processes.filter(({ host }) => host.alive)
  if (alive.length === 0) return
  const { host } = world.random.pick(alive)
  host.stalledUntil = Math.max(host.stalledUntil, world.now + logarithmic(world.random, 10, 20_000))
}

/** The network between one process and the database is cut for a while; to its clients nothing has happened. */
function cutOff({ world, processes }: Scene): void {
  const alive = processes.filter(({ host }) => host.alive)
  if (alive.length === 0) return
  const { host } = world.random.pick(alive)
  host.cutOffUntil = Math.max(host.cutOffUntil, world.now + logarithmic(world.random, 100, 20_000))
}

/** The writer is cut off for longer than its lease lasts, and another process is there to take its place. */
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

/** The database's machine loses power: each sector not yet synced meets its fate, and what is read afterwards is what is left. */
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
