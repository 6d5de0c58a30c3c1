import type pg from 'pg'
import { FACT_TABLES, type FactTable } from './facts.ts'
import { foldPositions, grown } from './fold-positions.ts'

/** The tables of folds: sums of facts. They can be emptied and rebuilt at any time. */
export const FOLD_TABLES = ['order_state', 'position', 'price_point', 'condition_stats', 'account_stats', 'reward'] as const
/** Version of the statements below. Raise it when they write something else: the next follower then rebuilds all folds. */
export const FOLDS = 3

/** Facts of the stream $1 after position $2 and up to $3. */
const RANGE = 'stream = $1 and seq > $2 and seq <= $3'
const YES_PRICE = 'case outcome when 0 then price else 10000 - price end'
const MINUTE = 60_000

/** A statement that adds the facts of a range to a fold, and the facts without which it would do nothing. */
interface Fold {
  reads: readonly FactTable[]
  text: string
}

/**
 * Every range of facts is added exactly once, in order, and touches each row of a fold once. The same statements, and `foldPositions` after
 * them, keep folds current and rebuild them, so the two cannot differ.
 */
const STATEMENTS: readonly Fold[] = [
  {
    // An order starts as its placement left it; fills as a maker follow; its last change has its size and, if it ended, its final state.
    // A 'reduced' change has no state.
    reads: ['placement', 'fill', 'order_change'],
    text: `
      merge into order_state o
      using (
        select order_id, p.lots, p.first_matched, p.first_cost, p.first_state, p.seq as placed_seq,
          case when p.first_state not in ('live', 'partially_filled') then p.at end as first_ended_at,
          coalesce(f.lots, 0) as filled, coalesce(f.cost, 0) as cost, case when f.seq is not null then 'partially_filled' end as filled_state,
          f.seq as filled_seq, c.kind, c.lots as changed_lots, c.state as changed_state, c.reason, c.seq as changed_seq,
          case when c.kind = 'ended' then c.at end as changed_ended_at
        from (select * from placement where ${RANGE}) p
        full join (
          select maker_order_id as order_id, sum(lots) as lots, sum(lots * maker_price) as cost, max(seq) as seq from fill where ${RANGE} group by 1
        ) f using (order_id)
        full join (select distinct on (order_id) * from order_change where ${RANGE} order by order_id, seq desc, n desc) c using (order_id)
      ) e on o.stream = $1 and o.order_id = e.order_id
      when matched then update set
        lots = coalesce(e.changed_lots, o.lots), matched = o.matched + e.filled, matched_cost = o.matched_cost + e.cost,
        state = coalesce(e.changed_state, e.filled_state, o.state), reason = case when e.kind is null then o.reason else e.reason end,
        seq = greatest(o.seq, e.filled_seq, e.changed_seq), ended_at = case when e.kind is null then o.ended_at else e.changed_ended_at end
      when not matched then insert (stream, order_id, lots, matched, matched_cost, state, reason, seq, ended_at) values (
        $1, e.order_id, coalesce(e.changed_lots, e.lots), e.first_matched + e.filled, e.first_cost + e.cost,
        coalesce(e.changed_state, e.filled_state, e.first_state), e.reason, greatest(e.placed_seq, e.filled_seq, e.changed_seq),
        case when e.kind is null then e.first_ended_at else e.changed_ended_at end
      )`,
  },
  {
    reads: ['trade'],
    text: `
      insert into price_point as p (stream, condition_id, minute, open, high, low, close, lots, volume, trades)
      select stream, condition_id, at - at % ${MINUTE}, (array_agg(${YES_PRICE} order by seq, n))[1], max(${YES_PRICE}), min(${YES_PRICE}),
        (array_agg(${YES_PRICE} order by seq desc, n desc))[1], sum(lots), sum(lots * price), count(*)
      from trade where ${RANGE} group by 1, 2, 3
      on conflict (stream, condition_id, minute) do update
      set high = greatest(p.high, excluded.high), low = least(p.low, excluded.low), close = excluded.close,
        lots = p.lots + excluded.lots, volume = p.volume + excluded.volume, trades = p.trades + excluded.trades`,
  },
  {
    reads: ['condition_change'],
    text: `
      insert into condition_stats (stream, condition_id)
      select stream, condition_id from condition_change where ${RANGE} and change = 'registered' on conflict do nothing`,
  },
  {
    reads: ['trade'],
    text: `
      update condition_stats s set volume = ${grown('s.volume', 't.volume')}, trades = s.trades + t.trades, last_price = t.price, last_at = t.at
      from (
        select condition_id, sum(lots * price) as volume, count(*) as trades, max(at) as at,
          (array_agg(${YES_PRICE} order by seq desc, n desc))[1] as price
        from trade where ${RANGE} group by 1
      ) t where s.stream = $1 and s.condition_id = t.condition_id`,
  },
  {
    // The union tells a trade once of an account that was several of its makers, or that was taker and maker.
    reads: ['trade'],
    text: `
      insert into account_stats as s (stream, account, trades)
      select stream, account, count(*) from (
        select stream, seq, n, taker_account as account from trade where ${RANGE}
        union
        select stream, seq, trade_n, maker_account from fill where ${RANGE}
      ) traded group by 1, 2
      on conflict (stream, account) do update set trades = s.trades + excluded.trades`,
  },
  {
    reads: ['ledger_entry'],
    text: `
      update condition_stats s set yes_lots = s.yes_lots + e.yes, no_lots = s.no_lots + e.no
      from (
        select condition_id, sum(case outcome when 0 then delta else 0 end) as yes, sum(case outcome when 1 then delta else 0 end) as no
        from ledger_entry where ${RANGE} and condition_id is not null group by 1
      ) e where s.stream = $1 and s.condition_id = e.condition_id and (e.yes <> 0 or e.no <> 0)`,
  },
  {
    reads: ['condition_change'],
    text: `
      update condition_stats s set weight = c.weight
      from (select condition_id, max(weight) as weight from condition_change where ${RANGE} and weight is not null group by 1) c
      where s.stream = $1 and s.condition_id = c.condition_id`,
  },
  {
    // What an account received of the fees in a market. Of its own fees that came back only the net is in the ledger.
    reads: ['trade'],
    text: `
      insert into reward as r (stream, account, condition_id, amount)
      select $1, account, condition_id, sum(amount) from (
        select account, trade.condition_id, delta as amount
        from (select distinct seq, condition_id from trade where ${RANGE}) trade
        join (select * from ledger_entry where ${RANGE} and reason in ('rebate', 'affiliate', 'fee')) entry using (seq)
        union all
        select taker_account, condition_id, fee from trade where ${RANGE} and fee > 0
      ) share group by 2, 3 having sum(amount) <> 0
      on conflict (stream, account, condition_id) do update set amount = ${grown('r.amount::numeric', 'excluded.amount')}`,
  },
]

/**
 * Adds the facts after one position and up to another to every fold, inside the caller's transaction. `written` names the tables that have
 * facts in that range, when that is known.
 */
export async function fold(
  client: pg.ClientBase,
  stream: string,
  after: number,
  upTo: number,
  written: readonly FactTable[] = FACT_TABLES,
  piece: <Answer>(work: Promise<Answer>) => Promise<Answer> = (work) => work,
): Promise<void> {
  // Plans for the actual range: for an average one the planner expects much of the table. And no nested loop into empty folds: it would
  // look, for every row, through all rows inserted before it.
  await client.query(`set local plan_cache_mode = force_custom_plan; set local enable_nestloop = ${after === 0 ? 'off' : 'on'}`)
  for (const [index, { reads, text }] of STATEMENTS.entries()) {
    if (!reads.some((table) => written.includes(table))) continue
    await piece(client.query({ name: `fold ${index}`, text, values: [stream, after, upTo] }))
  }
  if (written.includes('ledger_entry')) await foldPositions(client, stream, after, upTo, piece)
}

/** Commands whose facts are folded in one transaction while folds are rebuilt. */
const REBUILD_STEP = 50_000

/**
 * Empties the folds of a stream and rebuilds them from its facts. When interrupted, the next follower continues; until then history is
 * behind. `progress` is called after every step.
 */
export async function rebuildFolds(client: pg.ClientBase, stream: string, progress: (foldedSeq: number) => void): Promise<void> {
  await client.query('update projection set folds = 0 where stream = $1', [stream])
  await foldRest(client, stream, (seq) => {
    if (seq > 0) progress(seq)
  })
}

/**
 * Adds the facts that the folds do not include yet. Folds that another version made, or added to, are emptied and rebuilt, as after an upgrade.
 * `progress` is called after every step, with 0 when a rebuild begins.
 */
export async function foldRest(client: pg.ClientBase, stream: string, progress: (foldedSeq: number) => void = () => {}): Promise<void> {
  for (let isDone = false; !isDone; ) {
    await client.query('begin')
    const { rows } = await client.query({
      text: 'select folded_seq, projected_seq, folds = $2 and folds_seq = folded_seq as ours from projection where stream = $1 for update',
      values: [stream, FOLDS],
    })
    const [{ folded_seq: folded, projected_seq: projected, ours } = { folded_seq: 0, projected_seq: 0, ours: true }] = rows
    const upTo = ours ? Math.min(projected, folded + REBUILD_STEP) : 0
    if (!ours) for (const table of FOLD_TABLES) await client.query(`delete from ${table} where stream = $1`, [stream])
    else if (upTo > folded) await fold(client, stream, folded, upTo)
    await client.query('update projection set folded_seq = $2, folds_seq = $2, folds = $3 where stream = $1', [stream, upTo, FOLDS])
    await client.query('commit')
    isDone = ours && upTo === folded
    if (!isDone) progress(upTo)
  }
}
