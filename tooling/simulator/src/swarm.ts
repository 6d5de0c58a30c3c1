import type { OrderType, SelfTrade } from '@augury/engine/command'
import { NEWEST_RULES } from '@augury/engine/state'
import type { Prng } from '@augury/testing/prng'

export type PricePolicy = 'tight' | 'wide' | 'one_tick' | 'trending' | 'crossing' | 'one_price'

/** The configuration of one run, drawn from its seed, so that runs differ in kind and not only in values. */
export interface Swarm {
  accounts: number
  conditions: number
  /** Share of conditions that belong to neg-risk events. */
  negRisk: number
  prices: PricePolicy
  grids: number[]
  minLots: number
  minNotional: number
  feeBps: number
  rebateBps: number
  affiliateBps: number
  /** Usual maximum of an order, in lots. */
  lots: number
  /** Usual deposit of an account, in millionths. */
  wealth: number
  orderTypes: Record<OrderType, number>
  budget: number
  postOnly: number
  selfTrade: Record<SelfTrade, number>
  stpGroups: number
  /** Weights of the kinds of commands. */
  mix: Record<'place' | 'cancel' | 'reduce' | 'replace' | 'cancelAll' | 'cash' | 'position' | 'admin' | 'lifecycle' | 'deadMan', number>
  duplicates: number
  retries: number
  hostile: number
  /** Commands per row. */
  rowLength: number
  /** Milliseconds between rows, and the probability of a leap of up to an hour. */
  step: number
  leap: number
  /** Engine times are multiples of so many milliseconds: with whole seconds, rows fall on exactly the times at which something is due. */
  beat: number
  /** Longest life of a good-till-date order, in seconds. */
  life: number
  /** Largest sweep, and the probability that a due sweep is skipped. */
  sweep: number
  lateSweep: number
  /** Whether ids differ in all their bits, only in the last ones, or only in the first. */
  ids: 'random' | 'low' | 'high'
  /** Share of orders with an annex. */
  annexes: number
  /** Rules that the journal begins with, where no reference exchange is asked: that knows the newest only. */
  rules: number
}

/** An integer between two bounds, with a uniform magnitude. */
export function logarithmic(random: Prng, lowest: number, highest: number): number {
  return Math.round(lowest * (highest / lowest) ** random.unit())
}

/** Draws one of several names. */
export type Lottery<Name extends string> = (random: Prng) => Name

/** A weighted choice among names. */
export function lottery<Name extends string>(weights: Record<Name, number>): Lottery<Name> {
  const names = Object.keys(weights) as Name[]
  const below: number[] = []
  for (const name of names) below.push((below.at(-1) ?? 0) + weights[name])
  return (random) => {
    const draw = random.unit() * below.at(-1)!
    const drawn = below.findIndex((bound) => draw < bound)
    return names[Math.max(drawn, 0)]!
  }
}

/** Draws the configuration of a run. */
export function drawSwarm(random: Prng): Swarm {
  const weight = (highest: number) => (random.chance(0.7) ? random.unit() * highest : 0)
  // At the exchange's limits: sums of some numbers exceed 2⁵³.
  const isVast = random.chance(0.15)
  const accounts = logarithmic(random, 2, 200)
  const grids = random.chance(0.5) ? [random.pick([1000, 100, 50, 25, 10, 1])] : [1000, 100, 50, 25, 10, 1]
  return {
    accounts,
    conditions: logarithmic(random, 1, 40),
    negRisk: random.pick([0, 0.5, 1]),
    prices: random.pick(['tight', 'wide', 'one_tick', 'trending', 'crossing', 'one_price'] as const),
    grids,
    minLots: random.pick([1, 1, 5, 500]),
    minNotional: random.pick([0, 0, 1_000_000]),
    feeBps: random.pick([0, 1, 100, 700, 1000, 10_000]),
    rebateBps: random.pick([0, 2000, 3333]),
    affiliateBps: random.pick([0, 1000, 6667]),
    lots: isVast ? 4_000_000_000 : logarithmic(random, 2, 5_000_000),
    wealth: isVast ? Math.floor(4_000_000_000_000_000 / accounts) : logarithmic(random, 1_000_000, 100_000_000_000_000 / 200),
    orderTypes: { GTC: 0.2 + random.unit(), GTD: weight(0.5), FOK: weight(0.3), FAK: weight(0.3) },
    budget: random.unit(),
    postOnly: weight(0.4),
    selfTrade: { expire_maker: 1, expire_taker: weight(1), expire_both: weight(1), decrement: weight(1), none: weight(0.3) },
    stpGroups: random.pick([0, 0, 1, 3]),
    mix: {
      place: 40 + random.unit() * 50,
      cancel: 5 + random.unit() * 45,
      reduce: weight(5),
      replace: random.pick([0, 5, 25]),
      cancelAll: weight(0.5),
      cash: weight(5),
      position: random.pick([0, 3, 30]),
      admin: random.pick([0, 0.5, 5]),
      lifecycle: random.pick([0, 0.5, 5]),
      deadMan: random.pick([0, 1, 15]),
    },
    duplicates: random.pick([0, 0.05]),
    retries: random.pick([0, 0.02]),
    hostile: random.pick([0, 0.05]),
    rowLength: logarithmic(random, 1, 256),
    step: logarithmic(random, 1, 20_000),
    leap: random.pick([0, 0.01]),
    beat: random.pick([1, 1, 1000]),
    life: logarithmic(random, 2, 3600),
    sweep: random.pick([1, 7, 4096, 4096]),
    lateSweep: random.pick([0, 0.3, 0.9]),
    ids: random.pick(['random', 'low', 'high'] as const),
    annexes: random.pick([0, 0, 0.7]),
    rules: random.pick([NEWEST_RULES, NEWEST_RULES, NEWEST_RULES - 1]),
  }
}
