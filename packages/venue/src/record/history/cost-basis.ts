import type { Hex, Outcome, Side } from '@augury/engine/command'
import { mulDivHalfUp } from '@augury/units/mul-div'
import { ONE } from '@augury/units/price'

/** What changed an account's shares of one or more outcome tokens; lots, and money in millionths. */
export type Move = { seq: number; account: Hex } /**
 * `usdc` is what was paid or received, without the fee. Of pairs that are split or merged it is the part of their money that counts for the
 * Yes half, and `outcome` says nothing.
 */ & (
  | { kind: Side | 'redeem' | 'split' | 'merge'; condition: Hex; outcome: Outcome; lots: number; usdc: number; fee: number }
  /** No shares that went (negative lots) and Yes shares that came; `usdc` is what was paid besides. */
  | { kind: 'convert'; legs: { condition: Hex; outcome: Outcome; lots: number }[]; usdc: number }
)

/** Sums over everything that happened to a position; lots, and money in millionths. */
const NOTHING = {
  boughtLots: 0,
  /** Paid and received in trades, without fees. */
  boughtCost: 0,
  soldLots: 0,
  soldCost: 0,
  redeemedLots: 0,
  mergedLots: 0,
  /** Yes lots that conversions brought; negative for the No lots that they took. */
  convertedLots: 0,
  /** Cost that shares took along when they left, by whichever way. */
  goneCost: 0,
  /** Profit of what was sold and paid out, after fees. */
  realised: 0,
  /** Fees paid in trades. They are part of the cost of what was bought, and taken off what was sold for. */
  fees: 0,
}
export type PositionSums = typeof NOTHING

/** What an account holds of a token, what that cost, fees included, and sums of what happened to it since it was loaded. */
export class CostBasis {
  lots: number
  cost: number
  /** Position in the log of the last change. */
  seq = 0
  readonly sums: PositionSums = { ...NOTHING }

  constructor(lots = 0, cost = 0) {
    this.lots = lots
    this.cost = cost
  }

  /** Adds shares that came, and their cost. */
  come(lots: number, cost: number): void {
    this.lots += lots
    this.cost += cost
  }

  /** Removes shares at the average cost, all of it with the last share. Returns the cost that went. */
  leave(lots: number): number {
    const cost = lots === this.lots ? this.cost : mulDivHalfUp(this.cost, lots, this.lots)
    this.lots -= lots
    this.release(cost)
    return cost
  }

  /** Removes cost. */
  release(cost: number): void {
    this.cost -= cost
    this.sums.goneCost += cost
  }
}

/** Divides an amount into equal integers; the first gets what is left over. */
function equalParts(amount: number, count: number): number[] {
  const each = Math.floor(amount / count)
  return Array.from({ length: count }, (_, n) => (n === 0 ? amount - each * (count - 1) : each))
}

/** Takes a surplus of money out of the cost of positions, as far as they have shares and cost. Returns what is left of it. */
function lowerCost(positions: readonly CostBasis[], surplus: number): number {
  let left = surplus
  for (const position of positions) {
    if (position.lots === 0) continue
    const part = Math.min(left, position.cost)
    position.release(part)
    left -= part
  }
  return left
}

/** Adds an amount evenly to the cost of positions. */
function addCost(positions: readonly CostBasis[], amount: number): void {
  equalParts(amount, positions.length).forEach((part, n) => {
    positions[n]!.cost += part
  })
}

/** Adds an amount evenly to what positions realised. */
function realise(positions: readonly CostBasis[], amount: number): void {
  equalParts(amount, positions.length).forEach((part, n) => {
    positions[n]!.sums.realised += part
  })
}

const isOpen = ({ lots }: CostBasis): boolean => lots > 0

/**
 * Merging moves cost: exactly the money received leaves the two halves. Each gives what a split would have given it, so that merging undoes
 * a split. A half that has no shares left gives all its cost: what the money does not need stays with the other half, and what it lacks comes
 * from there. Only a difference for which there are no shares or no cost left is realised.
 */
function merge(halves: readonly [CostBasis, CostBasis], lots: number, yes: number): void {
  const due = [yes, ONE * lots - yes]
  const differences = halves.map((half, n) => {
    half.lots -= lots
    half.sums.mergedLots += lots
    const cost = isOpen(half) ? Math.min(half.cost, due[n]!) : half.cost
    half.release(cost)
    return due[n]! - cost
  })
  const surplus = differences[0]! + differences[1]!
  const open = halves.filter(isOpen)
  if (open.length === 0) for (const [n, half] of halves.entries()) half.sums.realised += differences[n]!
  else if (surplus < 0) addCost(open, -surplus)
  else realise(open, lowerCost(open, surplus))
}

/**
 * Converting moves cost: that of the No shares, less the money received, is spread evenly over the Yes shares that came, or over the No shares
 * that are left where none came. Money beyond that cost lowers the cost of all of them. Only a difference for which there are no shares or no
 * cost left is realised.
 */
function convert(went: readonly CostBasis[], came: readonly CostBasis[], lots: number, usdc: number): void {
  let surplus = usdc
  for (const position of went) {
    surplus -= position.leave(lots)
    position.sums.convertedLots -= lots
  }
  for (const position of came) {
    position.come(lots, 0)
    position.sums.convertedLots += lots
  }
  const takers = came.length > 0 ? came : went.filter(isOpen)
  if (surplus < 0 && takers.length > 0) addCost(takers, -surplus)
  else realise(went, surplus < 0 ? surplus : lowerCost([...came, ...went], surplus))
}

/** Applies a move to the positions that it changes: `of` finds the account's position in a token, or makes an empty one. */
export function applyMove(move: Move, of: (condition: Hex, outcome: Outcome) => CostBasis): void {
  const at = (condition: Hex, outcome: Outcome): CostBasis => Object.assign(of(condition, outcome), { seq: move.seq })
  if (move.kind === 'convert') {
    const legs = (outcome: Outcome) => move.legs.filter((leg) => leg.outcome === outcome).map((leg) => at(leg.condition, outcome))
    convert(legs(1), legs(0), Math.abs(move.legs[0]!.lots), move.usdc)
    return
  }
  const { condition, lots, usdc } = move
  if (move.kind === 'split' || move.kind === 'merge') {
    const halves = [at(condition, 0), at(condition, 1)] as const
    if (move.kind === 'merge') merge(halves, lots, usdc)
    else for (const [n, half] of halves.entries()) half.come(lots, n === 0 ? usdc : ONE * lots - usdc)
    return
  }
  const position = at(condition, move.outcome)
  const { sums } = position
  if (move.kind === 'BUY') {
    position.come(lots, usdc + move.fee)
    sums.boughtLots += lots
    sums.boughtCost += usdc
    sums.fees += move.fee
  } else if (move.kind === 'SELL') {
    sums.realised += usdc - move.fee - position.leave(lots)
    sums.soldLots += lots
    sums.soldCost += usdc
    sums.fees += move.fee
  } else {
    sums.realised += usdc - position.leave(lots)
    sums.redeemedLots += lots
  }
}
