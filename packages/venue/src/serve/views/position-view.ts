import type { Exchange } from '@augury/engine/exchange'
import type { ConditionView } from '@augury/engine/views'
import { mulDivHalfUp } from '@augury/units/mul-div'
import { ONE } from '@augury/units/price'
import type { ClosedPosition, Position } from '@augury/wire/data'
import { getAddress } from 'viem'
import type { PositionRecord } from '../../record/history/read-totals.ts'
import type { MarketRecord } from '../reference/markets.ts'
import { shownPrice } from './market-view.ts'

/** Millionths as a number of USDC, and lots as a number of shares, both exact in JSON. */
export const usdcNumber = (micros: number): number => micros / 1e6
export const sharesNumber = (lots: number): number => lots / 100

/** count · of / whole rounded half up, also for a negative count; 0 when `whole` is 0. */
function part(count: number, of: number, whole: number): number {
  if (whole === 0) return 0
  return count < 0 ? -mulDivHalfUp(-count, of, whole) : mulDivHalfUp(count, of, whole)
}

/** Shares that cost nearly nothing may have gained more than can be counted: the most is reported then. */
const MOST_PERCENT = 9_000_000_000

/** A gain as percent of its cost, both in millionths, with six decimals. */
export function percent(gain: number, cost: number): number {
  if (cost !== 0 && Math.abs(gain / cost) * 100 >= MOST_PERCENT) return Math.sign(gain / cost) * MOST_PERCENT
  return part(gain, 100_000_000, cost) / 1e6
}

/** Value of lots at a price of 0 … 1 that may end in half a step, in millionths. */
const worth = (price: number, lots: number): number => part(Math.round(price * ONE * 2), lots, 2)

/** What the profit of a position is made of. */
type Costs = Pick<PositionRecord, 'lots' | 'heldCost' | 'realised' | 'fees'>

/**
 * Profit of a position in millionths: `unrealised` is its value at the displayed price less its cost, `realised` what was sold and paid out
 * brought beyond its cost. Costs include fees, which `fees` repeats. Without a price it is valued at its cost.
 */
export function profitOf({ lots, heldCost, realised, fees }: Costs, price: number | null) {
  const value = price === null ? heldCost : worth(price, lots)
  return { value, cost: heldCost, unrealised: value - heldCost, realised, fees, unpriced: price === null ? value : 0 }
}

/** The displayed price of a position, null while there is none, and its profit. */
export function pricedPosition(exchange: Exchange, market: MarketRecord, record: PositionRecord) {
  const condition = exchange.condition(market.condition)!
  const price = shownPrice(exchange, market, condition, record.outcome)
  return { condition, price, ...profitOf(record, price) }
}

function common(market: MarketRecord, { lots, outcome, ...record }: PositionRecord, user: string, condition: ConditionView) {
  const average = lots > 0 ? part(record.heldCost, 100, lots) : part(record.goneCost, 100, record.goneLots)
  return {
    head: { proxyWallet: getAddress(user), asset: market.tokens[outcome], conditionId: market.condition },
    average: { avgPrice: average / 1e6 },
    bought: {
      totalBought: sharesNumber(lots + record.goneLots),
      realizedPnl: usdcNumber(record.realised),
      fees: usdcNumber(record.fees),
    },
    tail: {
      title: market.metadata.question,
      slug: market.questionSlug,
      icon: market.metadata.icon,
      eventSlug: market.metadata.event.slug,
      outcome: market.outcomes[outcome],
      outcomeIndex: outcome,
      oppositeOutcome: market.outcomes[outcome === 0 ? 1 : 0],
      oppositeAsset: market.tokens[outcome === 0 ? 1 : 0],
      endDate: market.endTime,
      negativeRisk: condition.event !== null,
    },
  }
}

/** A position at displayed prices. `hasPair`: the other outcome is held as well. */
export function positionView(exchange: Exchange, market: MarketRecord, record: PositionRecord, user: string, hasPair: boolean): Position {
  const { condition, price, value, cost, unrealised } = pricedPosition(exchange, market, record)
  const { head, average, bought, tail } = common(market, record, user, condition)
  const isResolved = condition.mode === 'resolved'
  return {
    ...head,
    size: sharesNumber(record.lots),
    ...average,
    initialValue: usdcNumber(cost),
    currentValue: usdcNumber(value),
    cashPnl: usdcNumber(unrealised),
    percentPnl: percent(unrealised, cost),
    ...bought,
    percentRealizedPnl: percent(record.realised, record.goneCost),
    curPrice: price,
    priced: price !== null,
    redeemable: isResolved,
    mergeable: hasPair && !isResolved,
    ...tail,
  }
}

/** A position that holds nothing any more. */
export function closedPositionView(exchange: Exchange, market: MarketRecord, record: PositionRecord, user: string): ClosedPosition {
  const { condition, price } = pricedPosition(exchange, market, record)
  const { head, average, bought, tail } = common(market, record, user, condition)
  const time = { timestamp: Math.floor(record.changedAt / 1000), timestamp_iso: new Date(record.changedAt).toISOString() }
  return { ...head, ...average, ...bought, curPrice: price, ...time, ...tail }
}
