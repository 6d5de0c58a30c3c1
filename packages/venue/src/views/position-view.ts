import type { Exchange } from '@augury/engine/exchange'
import { mulDivHalfUp } from '@augury/units/mul-div'
import { ONE } from '@augury/units/price'
import type { ClosedPosition, Position } from '@augury/wire/data'
import { getAddress } from 'viem'
import type { PositionRecord } from '../history/read-totals.ts'
import type { MarketRecord } from '../markets.ts'
import { isPriced, shownPrice } from './market-view.ts'

/** Millionths as a number of USDC, and lots as a number of shares, both exact in JSON. */
export const usdcNumber = (micros: number): number => micros / 1e6
export const sharesNumber = (lots: number): number => lots / 100

/** count · of / whole rounded half up, also for a negative count; 0 when `whole` is 0. */
function part(count: number, of: number, whole: number): number {
  if (whole === 0) return 0
  return count < 0 ? -mulDivHalfUp(-count, of, whole) : mulDivHalfUp(count, of, whole)
}

/** Shares that cost nearly nothing may have gained more than can be counted: that is told as the most that can. */
const MOST_PERCENT = 9_000_000_000

/** A gain as percent of its cost, both in millionths, with six decimals. */
export function percent(gain: number, cost: number): number {
  if (cost !== 0 && Math.abs(gain / cost) * 100 >= MOST_PERCENT) return Math.sign(gain / cost) * MOST_PERCENT
  return part(gain, 100_000_000, cost) / 1e6
}

/**
 * Cost and realised gain of a position, in lots and millionths. `cost` is of everything ever `acquired`, `initial` of what is still held,
 * and `gone` of what is not.
 */
export function costBasis(record: PositionRecord) {
  const { lots, boughtCost, soldLots, soldCost, redeemedLots, redeemed, splitCost, mergedLots, mergedCost, convertedLots, convertedCost } =
    record
  const acquired = lots + soldLots + redeemedLots + mergedLots + Math.max(-convertedLots, 0)
  const cost = boughtCost + splitCost + Math.max(convertedCost, 0)
  const initial = record.heldCost
  const proceeds = soldCost + redeemed + mergedCost + Math.max(-convertedCost, 0)
  return { acquired, cost, initial, gone: cost - initial, realized: proceeds - (cost - initial) }
}

/** Value of lots at a price of 0 … 1 that may end in half a step, in millionths. */
const worth = (price: number, lots: number): number => part(Math.round(price * ONE * 2), lots, 2)

/** Value of a position at the displayed price, or its cost while there is none, beside its cost and gain; in millionths. */
export function worthOf(exchange: Exchange, market: MarketRecord, record: PositionRecord) {
  const condition = exchange.condition(market.condition)!
  const { lots, outcome } = record
  const { initial, realized, gone } = costBasis(record)
  const priced = isPriced(exchange, market, condition)
  const current = priced ? worth(shownPrice(exchange, market, condition, outcome), lots) : initial
  return { current, initial, realized, gone, isPriced: priced, isResolved: condition.mode === 'resolved' }
}

function common(exchange: Exchange, market: MarketRecord, record: PositionRecord, user: string) {
  const { lots, outcome } = record
  const condition = exchange.condition(market.condition)!
  const { acquired, cost, initial, realized } = costBasis(record)
  return {
    head: { proxyWallet: getAddress(user), asset: market.tokens[outcome], conditionId: market.condition },
    average: { avgPrice: (lots > 0 ? part(initial, 100, lots) : part(cost, 100, acquired)) / 1e6 },
    bought: { totalBought: sharesNumber(acquired), realizedPnl: usdcNumber(realized) },
    price: shownPrice(exchange, market, condition, outcome),
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
  const { head, average, bought, price, tail } = common(exchange, market, record, user)
  const { current, initial, gone, realized, isPriced: priced, isResolved } = worthOf(exchange, market, record)
  return {
    ...head,
    size: sharesNumber(record.lots),
    ...average,
    initialValue: usdcNumber(initial),
    currentValue: usdcNumber(current),
    cashPnl: usdcNumber(current - initial),
    percentPnl: percent(current - initial, initial),
    ...bought,
    percentRealizedPnl: percent(realized, gone),
    curPrice: price,
    priced,
    redeemable: isResolved,
    mergeable: hasPair && !isResolved,
    ...tail,
  }
}

/** A position that holds nothing any more. */
export function closedPositionView(exchange: Exchange, market: MarketRecord, record: PositionRecord, user: string): ClosedPosition {
  const { head, average, bought, price, tail } = common(exchange, market, record, user)
  const time = { timestamp: Math.floor(record.changedAt / 1000), timestamp_iso: new Date(record.changedAt).toISOString() }
  return { ...head, ...average, ...bought, curPrice: price, ...time, ...tail }
}
