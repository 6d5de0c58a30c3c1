import { gather } from './crowd.ts'
import { Flow } from './flow.ts'
import { Lines } from './lines.ts'
import { Lookout, type Usage } from './look.ts'
import { Notebook } from './notebook.ts'
import { type Phase, runPhase } from './phase.ts'
import { type Reconciled, reconcile } from './reconcile.ts'
import type { System } from './system.ts'
import { type Watched, Watchers } from './watchers.ts'

/** How much of what, and for how long. */
export interface Scale {
  minutes: number
  /** A second. */
  orders: number
  cancels: number
  views: number
  sockets: number
  traders: number
  markets: number
  /** Of each step of overload. */
  overloadSeconds: number
}

/** Everything that was seen. */
export interface Outcome {
  scale: Scale
  phases: Phase[]
  /** Of the steady phase. */
  usages: Usage[]
  idle: number
  watched: Watched
  reconciled: Reconciled
  /** What should not have been, in sentences. */
  wrong: string[]
}

const CONNECTIONS = 128
/** Requests on their way at once: a crowd that waits for its answers, and one that does not. */
const ROOM = 2048
const CROWDED_ROOM = 24_000
const LOOKS_PER_SECOND = 20
const CALM_SECONDS = 15
/** Quotes that rest, in seconds of cancels. */
const QUOTES_SECONDS = 5
/** Overload, in times of what was accepted before. */
const STEPS = [5, 20]

/** Loads a system for as long as asked, then beyond what it can take, and holds what was said against what is so. */
export async function load(system: System, scale: Scale, say: (line: string) => void): Promise<Outcome> {
  const crowd = await gather(system, scale)
  const lines = new Lines(Number(new URL(system.exchange).port), CONNECTIONS)
  const notebook = new Notebook()
  const tools = { flow: new Flow(crowd), lines, notebook }
  const watchers = await Watchers.open(system, crowd, scale)
  try {
    const pace = { orders: scale.orders, cancels: scale.cancels, looks: LOOKS_PER_SECOND }
    const calm = Math.min(CALM_SECONDS, scale.minutes * 60)
    const quotes = pace.cancels * QUOTES_SECONDS
    const run = async (name: string, seconds: number, orders = pace.orders, crowded = false): Promise<Phase> => {
      say(`${name}: ${Math.round(orders)} orders and ${pace.cancels} cancels a second for ${Math.round(seconds)} s`)
      // Who places no more quotes in the crowd still has those of before to cancel.
      const plan = crowded ? { room: CROWDED_ROOM, quotes: 0 } : { room: ROOM, quotes }
      return runPhase({ name, seconds, pace: { ...pace, orders }, ...plan }, tools)
    }
    const warm = await run('warming up', calm)
    const lookout = new Lookout(system.programs, Math.max(1000, scale.minutes * 500))
    const steady = await run('steady', scale.minutes * 60)
    const { usages, idle } = lookout.stop()
    const answered = steady.of.order.times.count / steady.seconds
    const phases = [warm, steady]
    for (const times of scale.overloadSeconds > 0 ? STEPS : [])
      phases.push(await run(`${times} × as many orders`, scale.overloadSeconds, answered * times, true))
    if (scale.overloadSeconds > 0) phases.push(await run('afterwards', calm))
    say('comparing what was said with what is so')
    const watched = await watchers.close()
    const reconciled = await reconcile(system, crowd, notebook)
    const wrong = [
      ...phases.flatMap((phase) => phase.wrong),
      ...phases.filter(({ name }) => name.includes('×')).flatMap(sheddingWrong),
      ...watched.wrong,
      ...reconciled.wrong,
    ]
    return { scale, phases, usages, idle, watched, reconciled, wrong: [...new Set(wrong)] }
  } finally {
    lines.close()
    notebook.remove()
  }
}

/** Who lessens risk or asks for its own is turned away last: never a greater part of them than of the orders. */
function sheddingWrong({ name, of }: Phase): string[] {
  const part = ({ shed, sent }: { shed: number; sent: number }) => (sent === 0 ? 0 : shed / sent)
  const orders = part(of.order)
  return (['cancel', 'own state'] as const)
    .filter((kind) => part(of[kind]) > orders)
    .map((kind) => `${name}: a greater part of the class “${kind}” was turned away than of the orders`)
}
