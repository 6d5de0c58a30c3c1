import { gather } from './crowd.ts'
import { Flow } from './flow.ts'
import { Lookout, type Usage } from './look.ts'
import { Notebook } from './notebook.ts'
import { type Pace, type Phase, runPhase } from './phase.ts'
import { type Reconciled, reconcile } from './reconcile.ts'
import { greatestBorne } from './search.ts'
import { waitForSite } from './site-figures.ts'
import type { System } from './system.ts'
import { type Watched, Watchers } from './watchers.ts'
import { Ways } from './ways.ts'

/** Rates, sizes and durations of a load. */
export interface Scale {
  minutes: number
  /** Per second. */
  orders: number
  cancels: number
  views: number
  sockets: number
  traders: number
  markets: number
  /** Seconds of each step of overload. */
  overloadSeconds: number
  /** Part of orders and cancels that goes over trading sockets, from 0 to 1. */
  socketShare: number
}

/** A phase, and what the programs used in it. */
export interface Seen extends Phase {
  usages: Usage[]
  idle: number
}

/** All results. */
export interface Outcome {
  scale: Scale
  /** In order; the phase before the steady one showed that its rate can be sustained. */
  phases: Seen[]
  /** The requested rate, as first tried. */
  asked: Seen
  steady: Seen
  watched: Watched
  reconciled: Reconciled
  /** Seconds until the site showed the volume of the load; null without a site. */
  siteSeconds: number | null
  /** What should not have happened, in sentences. */
  wrong: string[]
}

const CONNECTIONS = 128
/** Most requests in flight, in the steady phase and in overload. Further clients queue. */
const ROOM = 2048
const CROWDED_ROOM = 4096
const LOOKS_PER_SECOND = 20
const CALM_SECONDS = 15
/** Samples of the programs per phase, and the shortest interval between two in milliseconds. */
const SAMPLES = 120
const SAMPLE_MS = 1000
/** Quotes that rest before the first is cancelled, in seconds of cancels. Half of them may be used up by a temporary lack of new ones. */
const QUOTES_SECONDS = 5
/** A rate is sustained when this share of it is answered, within this time for all but one in a hundred, as in the design. */
const ANSWERED = 0.98
const LATE_MS = 50
/** Steps of overload, as multiples of the sustained rate. */
const STEPS = [5, 20]

/** Whether a system sustained the rate of a phase: nearly everything was answered, and in time. */
export const isBorne = ({ pace, seconds, of }: Phase): boolean =>
  of.order.times.count >= pace.orders * seconds * ANSWERED &&
  of.cancel.times.count >= pace.cancels * seconds * ANSWERED &&
  of.order.times.percentile(0.99) <= LATE_MS

/**
 * Loads a system at the requested rate, or at the greatest share of it that it sustains, for as long as asked, then with more than it can
 * take, and reconciles every answer with the final state.
 */
export async function load(system: System, scale: Scale, say: (line: string) => void): Promise<Outcome> {
  const crowd = await gather(system, scale)
  const ways = new Ways(Number(new URL(system.exchange).port), CONNECTIONS, crowd.traders)
  const notebook = new Notebook()
  const tools = { flow: new Flow(crowd, scale.socketShare), ways, notebook }
  const watchers = await Watchers.open(system, crowd, scale)
  const phases: Seen[] = []
  const run = async (name: string, seconds: number, pace: Pace, crowded = false): Promise<Seen> => {
    say(`${name}: ${Math.round(pace.orders)} orders and ${Math.round(pace.cancels)} cancels a second for ${Math.round(seconds)} s`)
    const lookout = new Lookout(system.programs, Math.max(SAMPLE_MS, (seconds * 1000) / SAMPLES))
    // Clients that place no more quotes under overload still have earlier ones to cancel.
    const quotes = pace.cancels * QUOTES_SECONDS
    const plan = crowded ? { room: CROWDED_ROOM, quotes: 0 } : { room: ROOM, quotes: phases.length === 0 ? quotes : quotes / 2 }
    const phase = { ...(await runPhase({ name, seconds, pace, ...plan }, tools, say)), ...lookout.stop() }
    phases.push(phase)
    return phase
  }
  try {
    const calm = Math.min(CALM_SECONDS, scale.minutes * 30)
    const at = (share: number): Pace => ({ orders: scale.orders * share, cancels: scale.cancels * share, looks: LOOKS_PER_SECOND })
    await run('warming up', calm, at(1))
    const trials: Seen[] = []
    const share = await greatestBorne(async (tried) => {
      const trial = await run('trial', calm, at(tried))
      trials.push(trial)
      return isBorne(trial)
    })
    const pace = at(share)
    const steady = await run('steady', scale.minutes * 60, pace)
    const answered = steady.of.order.times.count / steady.seconds
    for (const times of scale.overloadSeconds > 0 ? STEPS : [])
      await run(`${times} × as many orders`, scale.overloadSeconds, { ...pace, orders: answered * times }, true)
    if (scale.overloadSeconds > 0) await run('afterwards', calm, pace)
    say('comparing what was said with what is so')
    const watched = await watchers.close()
    const reconciled = await reconcile(system, crowd, notebook, say)
    const site = await waitForSite(system, crowd)
    const wrong = [
      ...phases.flatMap((phase) => phase.wrong),
      ...phases.filter(({ name }) => name.includes('×')).flatMap(sheddingWrong),
      ...watched.wrong,
      ...reconciled.wrong,
      ...site.wrong,
    ]
    return { scale, phases, asked: trials[0]!, steady, watched, reconciled, siteSeconds: site.seconds, wrong: [...new Set(wrong)] }
  } finally {
    ways.close()
    notebook.remove()
  }
}

/** Requests that reduce risk or read one's own state are turned away last: never a greater share of them than of the orders. */
function sheddingWrong({ name, of }: Phase): string[] {
  const part = ({ shed, sent }: { shed: number; sent: number }) => (sent === 0 ? 0 : shed / sent)
  const orders = part(of.order)
  return (['cancel', 'own state'] as const)
    .filter((kind) => part(of[kind]) > orders)
    .map((kind) => `${name}: a greater part of the class “${kind}” was turned away than of the orders`)
}
