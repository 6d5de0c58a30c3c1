import type { Hex } from '@augury/engine/command'
import type { OrderView } from '@augury/engine/event'
import { inTurns } from '../../base/in-turns.ts'
import { toBytes } from '../../base/postgres.ts'
import { type AccountChange, ofChange, ofPlacement } from './account-changes.ts'
import { PLACED, toOrderView } from './order-row.ts'
import type { Source } from './read-query.ts'
import { readTradesAt } from './read-trades.ts'

/** Orders that are made of rows in one turn of the event loop. */
const ORDERS_AT_ONCE = 250

/** Positions of the next commands that changed orders of an account: placements, fills as maker, endings and reductions. */
const POSITIONS = `
  select seq, min(at) as at from (
    (select seq, at from placement where stream = $1 and account = $2 and seq > $3 order by seq limit $4)
    union all
    (select distinct seq, at from order_change where stream = $1 and account = $2 and seq > $3 order by seq limit $4)
    union all
    (select distinct seq, at from fill where stream = $1 and maker_account = $2 and seq > $3 order by seq limit $4)
  ) mine group by seq order by seq limit $4`

/**
 * Every order of the account that those commands touched, once per command, as it was after that command. The fills of an order are added up
 * in one pass: an order may have had very many before.
 */
const ORDERS = `
  with touched as (
    select seq, order_id from placement where stream = $1 and account = $2 and seq = any($3)
    union select seq, order_id from order_change where stream = $1 and account = $2 and seq = any($3)
    union select seq, maker_order_id from fill where stream = $1 and maker_account = $2 and seq = any($3)
  ), filled as (
    select order_id, seq, sum(sum(lots)) over upto as lots, sum(sum(cost)) over upto as cost
    from (
      select maker_order_id as order_id, seq, lots, lots * maker_price as cost from fill
      where stream = $1 and maker_order_id in (select order_id from touched) and seq <= (select max(seq) from touched)
      union all
      select order_id, seq, 0, 0 from touched
    ) each group by order_id, seq window upto as (partition by order_id order by seq)
  )
  select t.seq as changed_seq, ${PLACED}, e.state, e.reason, coalesce(e.lots, r.lots, p.lots) as lots,
    p.first_matched + f.lots as matched, p.first_cost + f.cost as matched_cost
  from touched t join placement p on p.stream = $1 and p.order_id = t.order_id
  join filled f on f.order_id = t.order_id and f.seq = t.seq
  left join lateral (
    select lots, state, reason from order_change where stream = $1 and account = $2 and seq = t.seq and order_id = t.order_id and kind = 'ended'
  ) e on true
  left join lateral (
    select lots from order_change where stream = $1 and order_id = t.order_id and seq <= t.seq and kind = 'reduced' order by seq desc, n desc limit 1
  ) r on true
  order by t.seq, p.seq, p.order_id`

// biome-ignore lint/suspicious/noExplicitAny: a row of the database
function viewOf(row: any): OrderView {
  const isPlaced = row.changed_seq === row.seq
  const state = row.state ?? (isPlaced ? row.first_state : row.matched > 0 ? 'partially_filled' : 'live')
  return toOrderView({ ...row, state })
}

/** What the next commands after a position did to an account, at most `limit` of them, oldest first. */
export async function readAccountChanges(source: Source, account: Hex, after: number, limit: number): Promise<AccountChange[]> {
  const { pool, stream } = source
  const who = [stream, toBytes(account)]
  const { rows: positions } = await pool.query({ name: 'account positions', text: POSITIONS, values: [...who, after, limit] })
  const seqs = positions.map(({ seq }) => seq)
  if (seqs.length === 0) return []
  const [{ rows }, trades] = await Promise.all([
    pool.query({ name: 'account orders', text: ORDERS, values: [...who, seqs] }),
    readTradesAt(source, account, seqs),
  ])
  const orders = await inTurns(rows, ORDERS_AT_ONCE, (row) => ({ seq: row.changed_seq, changes: kinds(row) }))
  const [ordersAt, tradesAt] = [Map.groupBy(orders, ({ seq }) => seq), Map.groupBy(trades, ({ seq }) => seq)]
  return positions.map(({ seq, at }) => ({
    account,
    seq,
    at,
    trades: tradesAt.get(seq) ?? [],
    orders: (ordersAt.get(seq) ?? []).flatMap(({ changes }) => changes),
  }))
}

// biome-ignore lint/suspicious/noExplicitAny: a row of the database
function kinds(row: any): AccountChange['orders'] {
  const order = viewOf(row)
  return row.changed_seq === row.seq ? ofPlacement(order) : [ofChange(order)]
}
