import { ONE } from '@augury/units/price'

/** A market as its sample history needs it: its price today and its grid, in steps. */
export interface SampledMarket {
  id: string
  price: number
  grid: number
}

/** Prices of one market in steps, one for each minute of the path. */
export type SamplePath = number[]

const HOUR = 60
const DAY = 24 * HOUR
/** Finer towards today: how far back each part reaches, and the time between two points, in minutes. */
const PARTS = [
  { back: 6 * HOUR, step: 10 },
  { back: 2 * DAY, step: 30 },
  { back: 7 * DAY, step: HOUR },
  { back: 90 * DAY, step: 6 * HOUR },
] as const

/** Minutes before today at which a path has a point, newest first, beginning with today. */
export const SAMPLED_MINUTES: readonly number[] = [
  0,
  ...PARTS.flatMap(({ back, step }, n) => {
    const from = PARTS[n - 1]?.back ?? 0
    return Array.from({ length: (back - from) / step }, (_, i) => from + (i + 1) * step)
  }),
]

/** A stream of numbers in [0, 1) from a text: Mulberry32 over an FNV-1a hash. */
function numbersOf(text: string): () => number {
  let state = 0x811c9dc5
  for (const letter of text) state = Math.imul(state ^ letter.codePointAt(0)!, 0x01000193)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * How far the log-odds at each sampled minute are from today's: a walk into the past that is drawn to a level of its own, with a jump now and
 * then, as of news.
 */
function walkOf(text: string): number[] {
  const next = numbersOf(text)
  const bell = () => next() + next() + next() + next() - 2 // variance 1/3
  const level = 0.9 * bell()
  const daily = 0.06 + 0.1 * next()
  const walk = [0]
  for (let n = 1; n < SAMPLED_MINUTES.length; n++) {
    const days = (SAMPLED_MINUTES[n]! - SAMPLED_MINUTES[n - 1]!) / DAY
    const before = walk[n - 1]!
    const jump = next() < 0.07 * days ? 0.7 * bell() : 0
    walk.push(before + 0.05 * (level - before) * days + daily * Math.sqrt(days) * bell() + jump)
  }
  return walk
}

/** The nearest price of the grid that an order could have. */
const onGrid = (chance: number, grid: number) => Math.min(ONE - grid, Math.max(grid, Math.round((chance * ONE) / grid) * grid))

/**
 * Plausible price histories of the markets of one event, newest first, each ending with today's price. They depend on nothing but the ids and
 * prices. Of markets that exclude each other the sum stays near today's; those of another event move partly together.
 */
export function samplePaths(event: string, markets: readonly SampledMarket[], exclusive: boolean): SamplePath[] {
  const walks = markets.map(({ id }) => walkOf(id))
  const today = markets.map(({ price }) => price / ONE)
  const sum = today.reduce((total, each) => total + each, 0)
  const shared = walkOf(event)
  const chancesAt = (n: number): number[] => {
    if (!exclusive) {
      const own = markets.length > 1 ? 0.35 : 1
      return today.map((chance, i) => logistic(Math.log(chance / (1 - chance)) + own * walks[i]![n]! + (1 - own) * shared[n]!))
    }
    // What is left to 1 belongs to an outcome that has no market.
    const weights = today.map((chance, i) => chance * Math.exp(walks[i]![n]!))
    const rest = Math.max(0, 1 - sum) * Math.exp(0.3 * shared[n]!)
    const scale = Math.max(1, sum) / (weights.reduce((total, each) => total + each, 0) + rest)
    return weights.map((weight) => weight * scale)
  }
  const paths: SamplePath[] = markets.map(({ price }) => [price])
  for (let n = 1; n < SAMPLED_MINUTES.length; n++)
    for (const [i, chance] of chancesAt(n).entries()) paths[i]!.push(onGrid(chance, markets[i]!.grid))
  return paths
}

const logistic = (odds: number) => 1 / (1 + Math.exp(-odds))
