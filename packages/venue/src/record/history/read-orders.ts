import type { Hex } from '@augury/engine/command'
import type { OrderView } from '@augury/engine/event'
import { type Annex, decodeAnnex } from '../../base/annex.ts'
import { toBytes, toHex } from '../../base/postgres.ts'
import { IDS, lookUpEach } from './look-up-each.ts'
import { PLACED, toOrderView } from './order-row.ts'
import { all, between, type Source, Values } from './read-query.ts'

/** An order as history knows it: the engine's view and more. */
export interface OrderRecord extends OrderView {
  /** Engine milliseconds at which it ended, or null while it rests. */
  endedAt: number | null
  /** Its size when it was placed; it may have been reduced since. */
  placedLots: number
  /** The annex, decoded. */
  by: Annex
}

/** A deposit or withdrawal, unique for ever by its `ref`. */
export interface TransferRecord {
  ref: Hex
  kind: 'deposit' | 'withdrawal'
  account: Hex
  amount: number
  state: 'done' | 'pending' | 'settled' | 'returned'
  seq: number
  at: number
}

/** Money that came in, in millionths. */
export interface DepositRecord {
  seq: number
  at: number
  ref: Hex
  account: Hex
  amount: number
}

/** A step of a withdrawal: set aside, settled, or returned. */
export interface WithdrawalStep extends DepositRecord {
  status: 'withdrawing' | 'settled' | 'returned'
}

const ORDER = `
  select ${PLACED}, p.n, p.lots as placed_lots, o.lots, o.matched, o.matched_cost, o.state, o.reason, o.ended_at
  from placement p join order_state o on o.stream = p.stream and o.order_id = p.order_id
  where p.stream = $1`

// biome-ignore lint/suspicious/noExplicitAny: a row of the database
const toOrder = (row: any): OrderRecord => ({
  ...toOrderView(row),
  endedAt: row.ended_at,
  placedLots: row.placed_lots,
  by: decodeAnnex(row.annex),
})

/** Orders by id; unknown ids are absent. One query for any number. */
export async function readOrders({ pool, stream }: Source, ids: readonly Hex[]): Promise<Map<Hex, OrderRecord>> {
  if (ids.length === 0) return new Map()
  const { rows } = await pool.query({
    name: 'orders',
    text: lookUpEach(IDS, `${ORDER} and p.order_id = asked.id`),
    values: [stream, ids.map(toBytes)],
  })
  return new Map(rows.map(toOrder).map((order) => [order.orderId, order]))
}

/** Orders by client order id, keyed `account/id`; the oldest order with a name counts. One query for any number. */
export async function readOrdersByClientId(
  { pool, stream }: Source,
  names: readonly { account: Hex; clientOrderId: string }[],
): Promise<Map<string, OrderRecord>> {
  if (names.length === 0) return new Map()
  const { rows } = await pool.query({
    name: 'orders by client id',
    text: `${lookUpEach(
      'unnest($2::bytea[], $3::text[]) as asked (account, name)',
      `${ORDER} and p.account = asked.account and p.client_order_id = asked.name`,
    )} order by seq desc, n desc`,
    values: [stream, names.map(({ account }) => toBytes(account)), names.map(({ clientOrderId }) => clientOrderId)],
  })
  return new Map(rows.map(toOrder).map((order) => [`${order.account}/${order.by.clientOrderId}`, order]))
}

/**
 * Orders of an account that ended after an engine time, last ended first: all filled ones, and those whose end reason is not in
 * `besides`. Rejected orders do not count.
 */
export async function readEndings(
  { pool, stream }: Source,
  account: Hex,
  after: number,
  besides: readonly string[],
  limit: number,
): Promise<OrderRecord[]> {
  const values = new Values(stream)
  const ends = all(
    `c.stream = $1 and c.account = ${values.of(toBytes(account))} and c.kind = 'ended' and c.state <> 'rejected'`,
    `(c.state = 'filled' or c.reason is null or c.reason <> all(${values.of(besides)}))`,
    between(values, 'c.seq', { after }),
  )
  const { rows } = await pool.query(
    `${ORDER} and p.order_id in (
      select c.order_id from order_change c where ${ends} order by c.seq desc, c.n desc limit ${values.of(limit)}
    ) order by o.ended_at desc, p.seq desc, p.n desc`,
    values.list,
  )
  return rows.map(toOrder)
}

/** Engine milliseconds at which each of these orders last changed, its placement included: those of the journal row of its last position. */
export async function readChangedAt({ pool, stream }: Source, orders: readonly Hex[]): Promise<Map<Hex, number>> {
  const { rows } = await pool.query({
    name: 'changed at',
    text: lookUpEach(
      IDS,
      `select o.order_id, (select at from journal where stream = o.stream and first_seq <= o.seq order by first_seq desc limit 1) as at
       from order_state o where o.stream = $1 and o.order_id = asked.id`,
    ),
    values: [stream, orders.map(toBytes)],
  })
  return new Map(rows.map(({ order_id, at }) => [toHex(order_id), at]))
}

/** Transfers by ref. One query for any number. */
export async function readTransfers({ pool, stream }: Source, refs: readonly Hex[]): Promise<Map<Hex, TransferRecord>> {
  if (refs.length === 0) return new Map()
  const { rows } = await pool.query({
    name: 'transfers',
    text: lookUpEach(
      IDS,
      `select t.ref, t.kind, t.account, t.amount, t.seq, t.at, coalesce(e.kind, case t.kind when 'deposit' then 'done' else 'pending' end) as state
       from transfer t left join transfer e on e.stream = t.stream and e.ref = t.ref and e.kind in ('settled', 'returned')
       where t.stream = $1 and t.ref = asked.id and t.kind in ('deposit', 'withdrawal')`,
    ),
    values: [stream, refs.map(toBytes)],
  })
  return new Map(
    rows.map(({ ref, kind, account, amount, state, seq, at }) => [
      toHex(ref),
      { ref: toHex(ref), kind, account: toHex(account), amount, state, seq, at },
    ]),
  )
}

/** Deposits after a position, at most `limit`, oldest first. */
export async function readDeposits({ pool, stream }: Source, after: number, limit: number): Promise<DepositRecord[]> {
  const { rows } = await pool.query({
    name: 'deposits',
    text: `select seq, at, ref, account, amount from transfer where stream = $1 and kind = 'deposit' and seq > $2 order by seq limit $3`,
    values: [stream, after, limit],
  })
  return rows.map(({ ref, account, ...row }) => ({ ...row, ref: toHex(ref), account: toHex(account) }))
}

/** Steps of withdrawals after a position, at most `limit`, oldest first: each names the account and the amount. */
export async function readWithdrawals({ pool, stream }: Source, after: number, limit: number): Promise<WithdrawalStep[]> {
  const { rows } = await pool.query({
    name: 'withdrawals',
    text: `
      select step.seq, step.at, step.ref, begun.account, begun.amount, case step.kind when 'withdrawal' then 'withdrawing' else step.kind end as status
      from transfer step join transfer begun on begun.stream = step.stream and begun.ref = step.ref and begun.kind = 'withdrawal'
      where step.stream = $1 and step.kind in ('withdrawal', 'settled', 'returned') and step.seq > $2 order by step.seq limit $3`,
    values: [stream, after, limit],
  })
  return rows.map(({ ref, account, ...row }) => ({ ...row, ref: toHex(ref), account: toHex(account) }))
}

/** Sum, in millionths, of an account's deposits after an engine time whose refs begin with these hex digits. */
export async function readDeposited({ pool, stream }: Source, account: Hex, refPrefix: string, after: number): Promise<number> {
  const { rows } = await pool.query({
    name: 'deposited',
    text: `
      select coalesce(sum(amount), 0)::int8 as amount from transfer
      where stream = $1 and account = $2 and kind = 'deposit' and at > $3 and substring(ref from 1 for octet_length($4::bytea)) = $4`,
    values: [stream, toBytes(account), after, Buffer.from(refPrefix, 'hex')],
  })
  return rows[0].amount
}
