import type pg from 'pg'

/** The tables of folds: what facts add up to. They can be emptied and made again at any time. */
export const FOLD_TABLES = ['order_state', 'position', 'price_point', 'condition_stats'] as const

/** Facts of the stream $1 after position $2 and up to $3. */
const RANGE = 'stream = $1 and seq > $2 and seq <= $3'
const YES_PRICE = 'case outcome when 0 then price else 10000 - price end'
const MINUTE = 60_000

/**
 * Each statement adds the facts of a range to a fold; every range of facts is added exactly once, in order. The same statements keep
 * the folds current and make them anew, so the two cannot differ.
 */
const STATEMENTS = [
  // Orders begin as their placement left them.
  `insert into order_state (stream, order_id, lots, matched, matched_cost, state, seq, ended_at)
   select stream, order_id, lots, first_matched, first_cost, first_state, seq,
     case when first_state in ('live', 'partially_filled') then null else at end
   from placement where ${RANGE}`,

  // Fills of resting orders. Whether one ended is told below.
  `update order_state o
   set matched = o.matched + f.lots, matched_cost = o.matched_cost + f.cost, state = 'partially_filled', seq = f.seq
   from (select maker_order_id, sum(lots) as lots, sum(lots * maker_price) as cost, max(seq) as seq from fill where ${RANGE} group by 1) f
   where o.stream = $1 and o.order_id = f.maker_order_id`,

  // The last change of an order says its size and, when it ended, how. 'reduced' says nothing of the state.
  `update order_state o
   set lots = c.lots, seq = greatest(o.seq, c.seq), state = coalesce(c.state, o.state), reason = c.reason,
     ended_at = case when c.kind = 'ended' then c.at end
   from (select distinct on (order_id) * from order_change where ${RANGE} order by order_id, seq desc, n desc) c
   where o.stream = $1 and o.order_id = c.order_id`,

  // A row must exist before something is taken off it: constraints are checked on what would be inserted.
  `insert into position (stream, account, condition_id, outcome, seq)
   select distinct stream, account, condition_id, outcome, $2::int8 from ledger_entry where ${RANGE} and condition_id is not null
   on conflict do nothing`,

  `update position p set lots = p.lots + e.lots, redeemed_lots = p.redeemed_lots + e.redeemed, seq = e.seq
   from (
     select account, condition_id, outcome, sum(delta) as lots, coalesce(-sum(delta) filter (where reason = 'redeem'), 0) as redeemed, max(seq) as seq
     from ledger_entry where ${RANGE} and condition_id is not null group by 1, 2, 3
   ) e
   where p.stream = $1 and p.account = e.account and p.condition_id = e.condition_id and p.outcome = e.outcome`,

  // Who traded has an entry, so the row is there.
  `update position p
   set bought_lots = bought_lots + t.bought, bought_cost = bought_cost + t.paid, sold_lots = sold_lots + t.sold, sold_cost = sold_cost + t.got
   from (
     select account, condition_id, outcome,
       coalesce(sum(lots) filter (where side = 'BUY'), 0) as bought, coalesce(sum(lots * price) filter (where side = 'BUY'), 0) as paid,
       coalesce(sum(lots) filter (where side = 'SELL'), 0) as sold, coalesce(sum(lots * price) filter (where side = 'SELL'), 0) as got
     from (
       select taker_account as account, condition_id, outcome, side, lots, price from trade where ${RANGE}
       union all
       select maker_account, condition_id, maker_outcome, maker_side, lots, maker_price from fill where ${RANGE}
     ) legs group by 1, 2, 3
   ) t
   where p.stream = $1 and p.account = t.account and p.condition_id = t.condition_id and p.outcome = t.outcome`,

  `insert into price_point as p (stream, condition_id, minute, open, high, low, close, lots, volume, trades)
   select stream, condition_id, at - at % ${MINUTE}, (array_agg(${YES_PRICE} order by seq, n))[1], max(${YES_PRICE}), min(${YES_PRICE}),
     (array_agg(${YES_PRICE} order by seq desc, n desc))[1], sum(lots), sum(lots * price), count(*)
   from trade where ${RANGE} group by 1, 2, 3
   on conflict (stream, condition_id, minute) do update
   set high = greatest(p.high, excluded.high), low = least(p.low, excluded.low), close = excluded.close,
     lots = p.lots + excluded.lots, volume = p.volume + excluded.volume, trades = p.trades + excluded.trades`,

  `insert into condition_stats (stream, condition_id)
   select stream, condition_id from condition_change where ${RANGE} and change = 'registered' on conflict do nothing`,

  `update condition_stats s set volume = s.volume + t.volume, trades = s.trades + t.trades, last_price = t.price, last_at = t.at
   from (
     select condition_id, sum(lots * price) as volume, count(*) as trades, (array_agg(${YES_PRICE} order by seq desc, n desc))[1] as price, max(at) as at
     from trade where ${RANGE} group by 1
   ) t where s.stream = $1 and s.condition_id = t.condition_id`,

  `update condition_stats s set yes_lots = s.yes_lots + e.yes, no_lots = s.no_lots + e.no
   from (
     select condition_id, coalesce(sum(delta) filter (where outcome = 0), 0) as yes, coalesce(sum(delta) filter (where outcome = 1), 0) as no
     from ledger_entry where ${RANGE} and condition_id is not null group by 1
   ) e where s.stream = $1 and s.condition_id = e.condition_id`,

  `update condition_stats s set weight = c.weight
   from (select condition_id, max(weight) as weight from condition_change where ${RANGE} and weight is not null group by 1) c
   where s.stream = $1 and s.condition_id = c.condition_id`,
]

/** Adds the facts after one position and up to another to every fold. Runs inside the caller's transaction. */
export async function fold(client: pg.ClientBase, stream: string, after: number, upTo: number): Promise<void> {
  for (const [index, text] of STATEMENTS.entries()) await client.query({ name: `fold ${index}`, text, values: [stream, after, upTo] })
}

/** Commands whose facts are folded in one transaction while folds are rebuilt. */
const REBUILD_STEP = 50_000

/**
 * Empties the folds of a stream and makes them again from its facts. Interrupted, the next follower goes on where it stopped; until
 * then history is behind. `progress` hears of every step.
 */
export async function rebuildFolds(client: pg.ClientBase, stream: string, progress: (foldedSeq: number) => void = () => {}): Promise<void> {
  await client.query('begin')
  await client.query('select from projection where stream = $1 for update', [stream]) // the follower is between two of its transactions
  for (const table of FOLD_TABLES) await client.query(`delete from ${table} where stream = $1`, [stream])
  await client.query('update projection set folded_seq = 0 where stream = $1', [stream])
  await client.query('commit')
  await foldRest(client, stream, progress)
}

/** Folds the facts that no fold has yet. */
export async function foldRest(client: pg.ClientBase, stream: string, progress: (foldedSeq: number) => void = () => {}): Promise<void> {
  for (;;) {
    await client.query('begin')
    const { rows } = await client.query('select folded_seq, projected_seq from projection where stream = $1 for update', [stream])
    const { folded_seq: folded, projected_seq: projected } = rows[0] ?? { folded_seq: 0, projected_seq: 0 }
    const upTo = Math.min(projected, folded + REBUILD_STEP)
    if (upTo > folded) {
      await fold(client, stream, folded, upTo)
      await client.query('update projection set folded_seq = $2 where stream = $1', [stream, upTo])
    }
    await client.query('commit')
    if (upTo === folded) return
    progress(upTo)
  }
}
