import { MAX_ORDER_LOTS, MICROS_PER_LOT } from '@augury/units/lots'
import { GRIDS, type Grid, ONE, onGrid } from '@augury/units/price'

/** Converts signed amounts (millionths) to and from price steps, lots and budgets, in integers only. */

/** The meaning of a pair of signed amounts: a limit order for shares, or a BUY that spends a budget (`lots` is 0). */
export interface OrderTerms {
  /** Limit or worst price in steps. */
  price: number
  lots: number
  /** Millionths of USDC. */
  budget: number
}

/** Why a pair of amounts is not a valid order in this market. */
export type AmountRefusal = 'invalid_amount' | 'invalid_price_tick' | 'price_out_of_range' | 'invalid_amount_precision' | 'size_too_large'

/** Decimals of the USDC amount that established clients sign, by grid. */
const amountDecimals: Readonly<Record<Grid, number>> = { 1000: 3, 100: 4, 50: 5, 25: 6, 10: 5, 1: 6 }

/** How many decimals the two amounts of an order may have: shares come in lots (2), a budget in cents (2). */
export function decimalsOf(side: 'BUY' | 'SELL', grid: Grid, byBudget: boolean): { maker: number; taker: number } {
  const usdc = amountDecimals[grid]
  return side === 'BUY' && !byBudget ? { maker: usdc, taker: 2 } : { maker: 2, taker: usdc }
}

const STEPS = BigInt(ONE)
const LOT = BigInt(MICROS_PER_LOT)
/** Millionths per unit of the last of `decimals` places. */
const unitOf = (decimals: number): bigint => 10n ** BigInt(6 - decimals)
const truncate = (value: bigint, unit: bigint): bigint => value - (value % unit)

/**
 * Returns the terms of an order with these signed amounts. `byBudget` means a FOK or FAK BUY: it spends `makerAmount`, and its worst price is
 * the tick next to the ratio for which a client signs these shares, cut or rounded at their last decimal. The price of any other order must be
 * an exact multiple of the tick.
 */
export function termsOf(
  side: 'BUY' | 'SELL',
  makerAmount: bigint,
  takerAmount: bigint,
  grid: Grid,
  byBudget: boolean,
): OrderTerms | AmountRefusal {
  if (makerAmount <= 0n || takerAmount <= 0n) return 'invalid_amount'
  const [collateral, shares] = side === 'BUY' ? [makerAmount, takerAmount] : [takerAmount, makerAmount]
  if (shares > BigInt(MAX_ORDER_LOTS) * LOT) return 'size_too_large'
  if (collateral > shares) return 'price_out_of_range'
  return byBudget ? budgetTerms(collateral, shares, grid) : limitTerms(collateral, shares, grid)
}

function limitTerms(collateral: bigint, shares: bigint, grid: Grid): OrderTerms | AmountRefusal {
  if (shares % LOT !== 0n) return 'invalid_amount_precision'
  if ((collateral * STEPS) % shares !== 0n) return 'invalid_price_tick'
  const price = Number((collateral * STEPS) / shares)
  return inMarket(price, grid) ?? { price, lots: Number(shares / LOT), budget: 0 }
}

const FINEST_FIRST = [...GRIDS].reverse()

/** Tries coarser grids too: a market's grid can be refined while clients still use the one they first read. */
function budgetTerms(budget: bigint, shares: bigint, grid: Grid): OrderTerms | AmountRefusal {
  const terms = budgetTermsOn(budget, shares, grid)
  if (typeof terms !== 'string') return terms
  for (const coarser of FINEST_FIRST) {
    const found = coarser > grid && coarser % grid === 0 ? budgetTermsOn(budget, shares, coarser) : terms
    if (typeof found !== 'string') return found
  }
  return terms
}

function budgetTermsOn(budget: bigint, shares: bigint, grid: Grid): OrderTerms | AmountRefusal {
  const unit = unitOf(amountDecimals[grid])
  if (budget % LOT !== 0n || shares % unit !== 0n) return 'invalid_amount_precision'
  const below = Number((budget * STEPS) / (shares * BigInt(grid))) * grid
  const meant = [below, below + grid].find((price) => inMarket(price, grid) === null && isMeant(budget, shares, price, unit))
  if (meant !== undefined) return { price: meant, lots: 0, budget: Number(budget) }
  return inMarket(below, grid) ?? 'invalid_price_tick'
}

/** Whether a client that was told this price signs this many shares: cut, or rounded up or down, at their last decimal. */
function isMeant(budget: bigint, shares: bigint, price: number, unit: bigint): boolean {
  const wanted = truncate((budget * STEPS) / BigInt(price), unit)
  return shares >= wanted - unit && shares <= wanted + unit
}

function inMarket(price: number, grid: Grid): AmountRefusal | null {
  if (price < grid || price > ONE - grid) return 'price_out_of_range'
  return onGrid(price, grid) ? null : 'invalid_price_tick'
}

/** Amounts to sign for a limit order; exact. */
export function limitAmounts(side: 'BUY' | 'SELL', price: number, lots: number): { makerAmount: bigint; takerAmount: bigint } {
  const collateral = BigInt(price) * BigInt(lots)
  const shares = BigInt(lots) * LOT
  return side === 'BUY' ? { makerAmount: collateral, takerAmount: shares } : { makerAmount: shares, takerAmount: collateral }
}

/** Amounts to sign for a BUY that spends a budget, at the worst price it accepts. The budget is cut to whole cents. */
export function budgetAmounts(price: number, budget: number, grid: Grid): { makerAmount: bigint; takerAmount: bigint } {
  const makerAmount = truncate(BigInt(budget), LOT)
  return { makerAmount, takerAmount: truncate((makerAmount * STEPS) / BigInt(price), unitOf(amountDecimals[grid])) }
}

/** Amounts that make a valid order, as near as possible to amounts that do not and never worse for the signer. Null when there are none. */
export function amountsToSign(
  side: 'BUY' | 'SELL',
  makerAmount: bigint,
  takerAmount: bigint,
  grid: Grid,
  byBudget: boolean,
): { price: number; makerAmount: bigint; takerAmount: bigint } | null {
  if (makerAmount <= 0n || takerAmount <= 0n) return null
  const [collateral, shares] = side === 'BUY' ? [makerAmount, takerAmount] : [takerAmount, makerAmount]
  const most = BigInt(MAX_ORDER_LOTS)
  const lots = Number(shares / LOT > most ? most : shares / LOT)
  const step = BigInt(grid)
  const ticks = side === 'BUY' ? (collateral * STEPS) / (shares * step) : (collateral * STEPS + shares * step - 1n) / (shares * step)
  const asked = ticks * step
  const price = asked < step ? grid : asked > STEPS - step ? ONE - grid : Number(asked)
  if (byBudget ? collateral < LOT || collateral > most * LOT : lots === 0) return null
  return { price, ...(byBudget ? budgetAmounts(price, Number(collateral), grid) : limitAmounts(side, price, lots)) }
}
