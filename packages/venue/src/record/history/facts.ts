import { decodeCommands } from '@augury/engine/codec'
import type { Command } from '@augury/engine/command'
import type { Event, OrderView } from '@augury/engine/event'
import { decodeAnnex } from '../../base/annex.ts'
import { toBytea } from '../../base/postgres.ts'
import { type Fill, tradesOf } from '../../base/trades-of.ts'
import type { AppliedRow } from '../log/applied-row.ts'
import type { JournalRow } from '../log/journal.ts'

/** The tables of facts: written once, keyed (stream, seq, n). */
export const FACT_TABLES = ['placement', 'order_change', 'fill', 'trade', 'ledger_entry', 'transfer', 'condition_change'] as const
export type FactTable = (typeof FACT_TABLES)[number]

/** Rows to insert, by table, with the columns' own names. */
export type Facts = Record<FactTable, Record<string, unknown>[]>

/** Turns applied rows into facts: rows of the history tables that are written once and never change. */
export class FactWriter {
  readonly #stream: string
  #facts: Facts = emptyFacts()
  #size = 0

  constructor(stream: string) {
    this.#stream = stream
  }

  /** Facts gathered so far. */
  get size(): number {
    return this.#size
  }

  /** Returns the gathered facts and begins anew. */
  take(): Facts {
    const facts = this.#facts
    this.#facts = emptyFacts()
    this.#size = 0
    return facts
  }

  /** Adds the facts of an applied row. */
  add({ commands }: Pick<JournalRow, 'commands'>, { at, outcomes }: AppliedRow): void {
    decodeCommands(commands).forEach((command, index) => {
      const { seq, events } = outcomes[index]!
      events.forEach((event, n) => {
        if (event.type === 'placed' && !event.again) {
          this.#add('placement', seq, n, at, placement(event.order))
        } else if (event.type === 'reduced') {
          const { orderId, account, lots } = event
          const ids = { order_id: toBytea(orderId), account: toBytea(account) }
          this.#add('order_change', seq, n, at, { ...ids, kind: 'reduced', lots, state: null, reason: null })
        } else if (event.type === 'ended') {
          const { orderId, account, lots, state, reason } = event.order
          const ids = { order_id: toBytea(orderId), account: toBytea(account) }
          this.#add('order_change', seq, n, at, { ...ids, kind: 'ended', lots, state, reason })
        } else if (event.type === 'entry') {
          const { account, asset, delta, balance, reason } = event
          const token = { condition_id: asset && toBytea(asset.condition), outcome: asset?.outcome ?? null }
          this.#add('ledger_entry', seq, n, at, { account: toBytea(account), ...token, delta, balance, reason })
        } else if (event.type === 'condition') {
          const { condition, change, mode, grid, weight } = event
          const of = command.type === 'register' ? command.event : null
          const ids = { condition_id: toBytea(condition), event_id: of && toBytea(of.id), event_size: of?.size ?? null }
          this.#add('condition_change', seq, n, at, { ...ids, change, mode, grid, weight })
        }
      })
      for (const { n, fills } of tradesOf(events)) this.#trade(n, fills, seq, at)
      const transfer = transferOf(command, events)
      if (transfer) this.#add('transfer', seq, 0, at, transfer)
    })
  }

  /** Adds a trade and its fills. */
  #trade(tradeN: number, fills: readonly Fill[], seq: number, at: number): void {
    const { condition, feeBps, taker } = fills[0]!
    const ids = { condition_id: toBytea(condition), taker_order_id: toBytea(taker.orderId), taker_account: toBytea(taker.account) }
    this.#add('trade', seq, tradeN, at, {
      ...ids,
      outcome: taker.outcome,
      side: taker.side,
      price: taker.price,
      fee_bps: feeBps,
      lots: fills.reduce((sum, { lots }) => sum + lots, 0),
      fee: fills.reduce((sum, { fee }) => sum + fee, 0),
    })
    for (const { n, kind, lots, fee, maker } of fills) {
      this.#add('fill', seq, n, at, {
        ...ids,
        trade_n: tradeN,
        kind,
        lots,
        fee,
        taker_outcome: taker.outcome,
        taker_side: taker.side,
        taker_price: taker.price,
        maker_order_id: toBytea(maker.orderId),
        maker_account: toBytea(maker.account),
        maker_outcome: maker.outcome,
        maker_side: maker.side,
        maker_price: maker.price,
      })
    }
  }

  #add(table: FactTable, seq: number, n: number, at: number, values: Record<string, unknown>): void {
    this.#facts[table].push({ stream: this.#stream, seq, n, at, ...values })
    this.#size++
  }
}

const emptyFacts = (): Facts => ({
  placement: [],
  order_change: [],
  fill: [],
  trade: [],
  ledger_entry: [],
  transfer: [],
  condition_change: [],
})

const placement = (order: OrderView) => ({
  order_id: toBytea(order.orderId),
  account: toBytea(order.account),
  condition_id: toBytea(order.condition),
  outcome: order.outcome,
  side: order.side,
  order_type: order.orderType,
  price: order.price,
  lots: order.lots,
  budget: order.budget,
  expiration: order.expiration,
  post_only: order.postOnly,
  first_matched: order.first.matched,
  first_cost: order.first.cost,
  first_fee: order.first.fee,
  first_fills: order.first.fills,
  first_state: order.first.state,
  client_order_id: nameOf(order.annex),
  annex: `\\x${Buffer.from(order.annex).toString('hex')}`,
})

const nameOf = (annex: Uint8Array) => (annex.length === 0 ? null : decodeAnnex(annex).clientOrderId)

/**
 * The transfer that a command made: its `ref` is in the command and used only once. The end of a withdrawal has the same `ref` as its
 * beginning.
 */
function transferOf(command: Command, events: readonly Event[]): Record<string, unknown> | null {
  if (events[0]?.type === 'refused') return null
  switch (command.type) {
    case 'deposit':
      return { ref: toBytea(command.ref), kind: 'deposit', account: toBytea(command.account), amount: command.amount }
    case 'withdraw':
      return { ref: toBytea(command.ref), kind: 'withdrawal', account: toBytea(command.account), amount: command.amount }
    case 'end_withdrawal':
      return { ref: toBytea(command.ref), kind: command.outcome, account: null, amount: null }
    default:
      return null
  }
}
