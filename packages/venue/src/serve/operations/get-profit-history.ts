import type { Hex } from '@augury/engine/command'
import type { ProfitPoint } from '@augury/wire/data'
import type { Input } from '@augury/wire/operation'
import type { dataOperations } from '@augury/wire/operations/data'
import type { Flow } from '../../record/history/read-flows.ts'
import type { Visitor } from '../access/identity.ts'
import { pricedPosition, profitOf, usdcNumber } from '../views/position-view.ts'
import type { Context } from './context.ts'
import { positionsOf } from './list-positions.ts'

type Query = Input<typeof dataOperations.getProfitHistory>['query']

const MINUTE = 60_000
/** Markets whose earlier prices are read for one answer; others count at their present price. */
const PRICED_MARKETS = 100

/** A position at a moment on the way back from now, with its price of now. */
interface Past {
  lots: number
  now: number | null
  condition: Hex
  outcome: 0 | 1
}
type PriceAt = (position: Past, at: number) => number | null

/**
 * The profit of an address at even moments, the last of which is now: what it has at the displayed prices of the moment, plus what it
 * withdrew, less what it deposited, by then. What had no price then counts its cost of then. It is computed backwards from the current profit.
 */
export async function getProfitHistory(ctx: Context, _: Visitor, { query }: { query: Query }): Promise<ProfitPoint[]> {
  const { readModel } = ctx.venue
  const account = ctx.wallets.accountOf(query.user)
  const known = await positionsOf(ctx, query.user, undefined)
  const rewards = await readModel.rewards(account)
  const [now, first] = [ctx.venue.now(), await readModel.firstChange(account)]
  if (first === null) return []
  const from = Math.min(query.startTs === undefined ? first - MINUTE : query.startTs * 1000, now - 1)
  const step = Math.ceil((now - from) / (query.points - 1))
  const past = new Map<string, Past>()
  let flowed = [...rewards.values()].reduce((sum, amount) => sum + amount, 0)
  for (const { market, record } of known) {
    const { price } = pricedPosition(ctx.exchange, market, record)
    const { condition, outcome, lots, heldCost: cost } = record
    past.set(`${condition} ${outcome}`, { lots, condition, outcome, now: price })
    flowed += record.realised - cost
  }
  const flows = Map.groupBy(await readModel.flows(account, from, step), ({ n }) => n)
  const readPrice = await readPrices(ctx, moved(past, flows), { from, to: now, step })
  const priceAt: PriceAt = (position, at) => (at === now ? position.now : readPrice(position, at))
  const times = Array.from({ length: query.points }, (_, n) => (n === query.points - 1 ? now : from + n * step))
  const costAt = await readUnpriced(ctx, account, [...past.values()], times, priceAt)
  const told: ProfitPoint[] = []
  for (let n = query.points - 1; n >= 0; n--) {
    for (const { condition, outcome, delta } of flows.get(n) ?? []) {
      const position = past.get(`${condition} ${outcome}`)
      if (condition === null) flowed -= delta
      else if (position) position.lots -= delta
    }
    const at = times[n]!
    const value = [...past.values()].reduce((sum, each) => sum + worthOf(each, priceAt(each, at), costAt(each, at)), 0)
    told.push({ t: Math.floor(at / 1000), profit: usdcNumber(flowed + value) })
  }
  return told.reverse()
}

const worthOf = ({ lots }: Past, price: number | null, heldCost: number): number =>
  profitOf({ lots, heldCost, realised: 0, fees: 0 }, price).value

/** Reads what positions cost at the times at which they have no price. Returns the cost of a position at such a time. */
async function readUnpriced(ctx: Context, account: Hex, past: readonly Past[], times: readonly number[], priceAt: PriceAt) {
  const isBare = (at: number) => (position: Past) => priceAt(position, at) === null
  const asked = times.filter((at) => past.some(isBare(at)))
  const conditions = new Set(asked.flatMap((at) => past.filter(isBare(at)).map(({ condition }) => condition)))
  const costs = await ctx.venue.readModel.costs([...conditions], asked, account)
  const read = new Map(
    asked.map((at, n) => [at, new Map(costs[n]!.map(({ condition, outcome, cost }) => [`${condition} ${outcome}`, cost]))]),
  )
  return ({ condition, outcome }: Past, at: number): number => read.get(at)?.get(`${condition} ${outcome}`) ?? 0
}

/** Conditions of which something was held at some time since, those with the most shares first. */
function moved(past: ReadonlyMap<string, Past>, flows: ReadonlyMap<number, readonly Flow[]>): Hex[] {
  const most = new Map<Hex, number>()
  const note = (condition: Hex | null, lots: number) => {
    if (condition !== null && lots !== 0) most.set(condition, Math.max(most.get(condition) ?? 0, Math.abs(lots)))
  }
  for (const { condition, lots } of past.values()) note(condition, lots)
  for (const { condition, delta } of [...flows.values()].flat()) note(condition, delta)
  return [...most].sort(([, one], [, other]) => other - one).map(([condition]) => condition)
}

/** Reads the prices of a range. Returns the displayed price of a position at a time; null before the first there was. */
async function readPrices(
  ctx: Context,
  conditions: readonly Hex[],
  { from, to, step }: { from: number; to: number; step: number },
): Promise<PriceAt> {
  const range = { from, to, minutes: Math.max(1, Math.floor(step / MINUTE)) }
  const read = new Map<Hex, Awaited<ReturnType<typeof ctx.venue.readModel.shownPrices>>>()
  for (const condition of conditions.slice(0, PRICED_MARKETS)) {
    read.set(condition, await ctx.venue.readModel.shownPrices(condition, 0, range))
  }
  return ({ condition, outcome, now }, at) => {
    const prices = read.get(condition)
    if (!prices) return now
    const yes = prices.points.findLast(({ until }) => until <= at)?.price ?? prices.before
    return yes === null || outcome === 0 ? yes : 1 - yes
  }
}
