import { alignDown, lengthOf } from './intervals.ts'
import type { Oracle } from './oracle.ts'

/** Approximate prices of instruments by the first part of their symbol. */
const WORTH: Readonly<Record<string, number>> = { BTC: 97_000, ETH: 3_600, SOL: 210 }
const USUAL_WORTH = 100

/** Waves that make up the price: relative height, and length in milliseconds. */
const WAVES: readonly [share: number, period: number][] = [
  [0.05, 604_800_000],
  [0.02, 86_400_000],
  [0.008, 14_400_000],
  [0.004, 3_600_000],
  [0.002, 900_000],
  [0.001, 300_000],
  [0.0005, 60_000],
  [0.0002, 10_000],
]
/** Relative deviation of the second source. */
const DIFFERENCE: readonly [share: number, period: number] = [0.0001, 60_000]

/**
 * Made-up prices for sandboxes, marked as such. The price is a function of symbol and time alone, so every process sees the same past and
 * present and nothing is stored.
 */
export function simulatedOracle(name: string, { differs }: { differs: boolean }): Oracle {
  const at = (symbol: string, time: number): number => {
    const worth = WORTH[symbol.split(/[^A-Za-z]/)[0]!.toUpperCase()] ?? USUAL_WORTH
    const seed = hash(symbol)
    const waves = WAVES.reduce((sum, [share, period], index) => sum + share * noise(seed + index, time / period), 0)
    const difference = differs ? DIFFERENCE[0] * noise(seed + WAVES.length, time / DIFFERENCE[1]) : 0
    return Math.round(worth * Math.exp(waves + difference) * 100) / 100
  }
  return {
    name,
    simulated: true,
    most: 1000,
    async settled(symbol, interval, after, until) {
      const ends: number[] = []
      for (let end = alignDown(after, interval) + lengthOf(interval); end <= until; end += lengthOf(interval)) ends.push(end)
      return ends.map((windowEnd) => ({ windowEnd, price: at(symbol, windowEnd), sourceTimestamp: windowEnd }))
    },
    async live(symbol, interval, now) {
      const start = alignDown(now, interval)
      return { start, end: start + lengthOf(interval), openingPrice: at(symbol, start), price: at(symbol, now), timestamp: now }
    },
  }
}

/** A smooth curve through random heights at whole numbers, −1 … 1. */
function noise(seed: number, x: number): number {
  const left = Math.floor(x)
  const t = x - left
  const ease = t * t * (3 - 2 * t)
  return height(seed, left) * (1 - ease) + height(seed, left + 1) * ease
}

/** A random height for a whole number, the same for ever. */
function height(seed: number, x: number): number {
  let h = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(x | 0, 0xc2b2ae35) ^ Math.imul((x / 2 ** 32) | 0, 0x27d4eb2f)
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d)
  h = Math.imul(h ^ (h >>> 12), 0x297a2d39)
  return ((h ^ (h >>> 15)) >>> 0) / 2 ** 31 - 1
}

function hash(text: string): number {
  let h = 0x811c9dc5
  for (let index = 0; index < text.length; index++) h = Math.imul(h ^ text.charCodeAt(index), 0x01000193)
  return h >>> 0
}
