import type { Hex, Outcome } from '@augury/engine/command'
import type { Event } from '@augury/engine/event'
import type { Exchange } from '@augury/engine/exchange'
import { ONE } from '@augury/units/price'
import { applyMove, CostBasis, type Move } from '../src/record/history/cost-basis.ts'

type Entry = Extract<Event, { type: 'entry' }>
interface Kept {
  account: Hex
  condition: Hex
  outcome: Outcome
  basis: CostBasis
}

const MOVING = ['split', 'merge', 'convert', 'redeem'] as const
const PAID_IN: readonly string[] = ['deposit', 'withdraw', 'withdraw_settled', 'withdraw_returned']
const SHARES: readonly string[] = ['fee', 'rebate', 'affiliate']

/** Folds events of an engine without a database: the positions that they make, parts of fees received, and money that was paid in. */
export class FoldedEvents {
  readonly #exchange: Exchange
  readonly #kept = new Map<string, Kept>()
  readonly #rewards = new Map<Hex, number>()
  readonly #paidIn = new Map<Hex, number>()
  /** Sum of profits that were realised by splits, merges and conversions while shares or cost were left to take them. */
  unsold = 0

  constructor(exchange: Exchange) {
    this.#exchange = exchange
  }

  of(account: Hex): Kept[] {
    return [...this.#kept.values()].filter((kept) => kept.account === account)
  }
  rewards(account: Hex): number {
    return this.#rewards.get(account) ?? 0
  }
  /** Deposits less withdrawals. */
  paidIn(account: Hex): number {
    return this.#paidIn.get(account) ?? 0
  }

  /** Adds the events of a command. */
  add(events: readonly Event[]): void {
    const entries = events.filter((event) => event.type === 'entry')
    for (const { account, delta, reason } of entries) {
      if (PAID_IN.includes(reason)) add(this.#paidIn, account, delta)
      if (SHARES.includes(reason)) add(this.#rewards, account, delta)
    }
    for (const move of [...this.#trades(events), ...this.#others(entries)]) this.#apply(move)
  }

  #apply(move: Move): void {
    const touched: CostBasis[] = []
    const before = this.#realised(move.account)
    applyMove(move, (condition, outcome) => {
      const basis = this.#at(move.account, condition, outcome)
      touched.push(basis)
      return basis
    })
    const isMoved = move.kind === 'split' || move.kind === 'merge' || move.kind === 'convert'
    // Realised by moving: only where nothing is left that could take the difference.
    if (isMoved && touched.some(({ lots, cost }) => lots > 0 && cost > 0)) this.unsold += Math.abs(this.#realised(move.account) - before)
  }

  #realised(account: Hex): number {
    return this.of(account).reduce((sum, { basis }) => sum + basis.sums.realised, 0)
  }

  #at(account: Hex, condition: Hex, outcome: Outcome): CostBasis {
    const key = `${account}${condition}${outcome}`
    const kept = this.#kept.get(key) ?? { account, condition, outcome, basis: new CostBasis() }
    this.#kept.set(key, kept)
    return kept.basis
  }

  #trades(events: readonly Event[]): Move[] {
    const moves = new Map<string, Extract<Move, { fee: number }>>()
    const trade = (
      who: string,
      { account, outcome, side, price }: { account: Hex; outcome: Outcome; side: 'BUY' | 'SELL'; price: number },
      condition: Hex,
      lots: number,
      fee: number,
    ) => {
      const key = `${who} ${account} ${outcome} ${side}`
      const move = moves.get(key) ?? { seq: 1, account, kind: side, condition, outcome, lots: 0, usdc: 0, fee: 0 }
      moves.set(key, { ...move, lots: move.lots + lots, usdc: move.usdc + lots * price, fee: move.fee + fee })
    }
    for (const event of events) {
      if (event.type !== 'fill') continue
      trade('taker', event.taker, event.condition, event.lots, event.fee)
      trade('maker', event.maker, event.condition, event.lots, 0)
      add(this.#rewards, event.taker.account, event.fee) // the ledger has only what is left of a fee that comes back
    }
    return [...moves.values()].sort((one, other) => (one.kind < other.kind ? -1 : 1))
  }

  #others(entries: readonly Entry[]): Move[] {
    const tokens = entries.filter(({ asset, reason }) => asset && (MOVING as readonly string[]).includes(reason))
    const legs = tokens.map(({ asset, delta }) => ({ ...asset!, lots: delta }))
    if (tokens[0]?.reason === 'convert') {
      const cash = entries.find(({ asset, reason }) => asset === null && reason === 'convert')?.delta ?? 0
      return [{ seq: 1, account: tokens[0].account, kind: 'convert', legs, usdc: cash }]
    }
    return tokens.flatMap(({ account, asset, delta, reason }): Move[] => {
      const { condition, outcome } = asset!
      const lots = Math.abs(delta)
      const { weight } = this.#exchange.condition(condition)!
      const about = { seq: 1, account, condition, outcome, lots, fee: 0 }
      if (reason === 'redeem') return [{ ...about, kind: 'redeem', usdc: lots * (outcome === 0 ? weight! : ONE - weight!) }]
      return outcome === 0 ? [{ ...about, kind: reason as 'split' | 'merge', usdc: (ONE / 2) * lots }] : []
    })
  }
}

const add = (sums: Map<Hex, number>, account: Hex, amount: number): void => void sums.set(account, (sums.get(account) ?? 0) + amount)
