import type { Hex } from '@augury/engine/command'
import { ONE } from '@augury/units/price'
import { toBytes, toHex } from '../../base/postgres.ts'
import { type CostThen, readCosts } from './read-costs.ts'
import { all, between, counted, type Source, Values } from './read-query.ts'

/** An account's traded volume and profit in millionths. */
export interface Standing {
  account: Hex
  volume: number
  profit: number
}

/** Yes prices in half steps by condition; null without a price. Only these conditions count. */
export type HalfSteps = ReadonlyMap<Hex, number | null>

const MINUTE = 60_000
/** What moves cash beside trades. */
const OTHER = `'split', 'merge', 'convert', 'redeem'`
const SHARES_OF_FEES = `'fee', 'rebate', 'affiliate'`

/** SQL of the value of lots at the Yes price `half`, rounded half up. */
const worth = (lots: string, half: string): string =>
  `div(${lots}::numeric * case outcome when 0 then ${half} else ${2 * ONE} - ${half} end + 1, 2)`
/** SQL of the value of what is held now. Without a price it is its cost. */
const NOW = `case when half is null then held_cost else ${worth('position.lots', 'half')} end`

const EVER = `
  select account, bought_cost::numeric + sold_cost as volume, realised - held_cost + ${NOW} as profit, true as dealt
  from position join price using (condition_id) where stream = $1
  union all
  select account, 0, amount, false from reward join price using (condition_id) where stream = $1`

/**
 * SQL of the parts of volume and profit since a time. Profit is the cash that came, less that which went, and the change of the value of what
 * is held: at the prices of now, and at those of then. What had no price then counts what it cost then.
 */
const sinceThen = (range: string): string => `
  select account, volume, cash as profit, true as dealt from traded join price using (condition_id)
  union all
  select account, 0, delta, reason in (${OTHER}) from ledger_entry join (
    select distinct on (seq) seq, condition_id from trade where ${range}
    union all
    (select distinct on (seq) seq, condition_id from ledger_entry where ${range} and reason in (${OTHER}) and condition_id is not null)
  ) about using (seq) join price on price.condition_id = about.condition_id
  where ${range} and ledger_entry.condition_id is null and reason in (${OTHER}, ${SHARES_OF_FEES})
  union all
  select account, 0, ${NOW} - case
      when position.lots = coalesce(moved.lots, 0) then 0
      when before is not null then ${worth('(position.lots - coalesce(moved.lots, 0))', 'before')}
      else coalesce(cost_then.cost, 0)
    end, true
  from position left join moved using (account, condition_id, outcome) left join cost_then using (account, condition_id, outcome)
    join price using (condition_id)
  where stream = $1 and (position.lots > 0 or moved.lots is not null)`

const traded = (range: string): string =>
  [
    ['trade', 'taker_account', '', `${range}`],
    ['fill', 'maker_account', 'maker_', `${range}`],
  ]
    .map(([table, account, own, where]) => {
      const signed = (value: string) => `case ${own}side when 'BUY' then ${value} else -${value} end`
      const cost = `(lots * ${own}price)`
      return `select ${account} as account, condition_id, ${own}outcome as outcome, ${signed('lots')} as lots, -${signed(cost)} as cash,
        ${cost} as volume from ${table} where ${where}`
    })
    .join(' union all ')

/** SQL of the Yes price of an asked condition before a time; null without one. */
const beforeThat = (after: string): string => `(
  select half_steps from shown_price where shown_price.stream = $1 and shown_price.condition_id = asked.condition_id
    and minute <= ${after}::int8 - ${MINUTE} order by minute desc limit 1)`

/** Markets without a price at a time, in which accounts may have held shares. */
const UNPRICED = `
  with begun as materialized (
    select coalesce((select last_seq from journal where stream = $1 and at <= $3 order by at desc, first_seq desc limit 1), 0) as seq
  ), unpriced as materialized (select condition_id from unnest($2::bytea[]) as asked (condition_id) where ${beforeThat('$3')} is null)
  select condition_id from unpriced, begun
  where exists (select from trade where stream = $1 and trade.condition_id = unpriced.condition_id and trade.seq <= begun.seq)
  union
  select condition_id from ledger_entry join unpriced using (condition_id), begun
  where stream = $1 and ledger_entry.seq <= begun.seq and reason in ('split', 'convert')`

/** What shares without a price cost at a time, of everybody. */
async function readUnpriced(source: Source, conditions: readonly Hex[], since: number): Promise<CostThen[]> {
  const { rows } = await source.pool.query({
    name: 'unpriced',
    text: UNPRICED,
    values: [source.stream, conditions.map(toBytes), since],
  })
  const [costs] = await readCosts(
    source,
    rows.map(({ condition_id }) => toHex(condition_id)),
    [since],
    null,
  )
  return costs!
}

/**
 * The first `limit` accounts by volume or profit, since an engine time or, for null, ever. Ever, the profit is that of all positions and
 * the parts of fees received, as `profitOf` has it of each. Who only receives parts of fees is not listed.
 */
export async function readStandings(
  source: Source,
  prices: HalfSteps,
  since: number | null,
  by: 'volume' | 'profit',
  limit: number,
): Promise<Standing[]> {
  const { pool, stream } = source
  const costs = since === null ? [] : await readUnpriced(source, [...prices.keys()], since)
  const values = new Values(stream)
  const asked = `unnest(${values.of([...prices.keys()].map(toBytes))}::bytea[], ${values.of([...prices.values()])}::int[])`
  const before = since === null ? 'null' : beforeThat(values.of(since))
  const range = since === null ? '' : all('stream = $1', between(values, 'seq', { after: since }))
  const costThen = () =>
    `unnest(${values.of(costs.map(({ account }) => toBytes(account)))}::bytea[], ${values.of(costs.map(({ condition }) => toBytes(condition)))}::bytea[],
      ${values.of(costs.map(({ outcome }) => outcome))}::int2[], ${values.of(costs.map(({ cost }) => cost))}::int8[])`
  const { rows } = await pool.query(
    `with price as materialized (
       select condition_id, half, ${before} as before from ${asked} as asked (condition_id, half)
     )${
       since === null
         ? ''
         : `, traded as (${traded(range)}), moved as (
       select account, condition_id, outcome, sum(lots) as lots from (
         select account, condition_id, outcome, lots from traded
         union all
         select account, condition_id, outcome, delta from ledger_entry where ${range} and reason in (${OTHER}) and condition_id is not null
       ) each group by 1, 2, 3
     ), cost_then as materialized (select * from ${costThen()} as held (account, condition_id, outcome, cost))`
     }
     select account, ${counted('sum(volume)')} as volume, ${counted('sum(profit)')} as profit
     from (${since === null ? EVER : sinceThen(range)}) parts
     group by account having sum(volume) > 0${by === 'profit' ? ' or sum(profit) filter (where dealt) <> 0' : ''}
     order by ${by === 'profit' ? 'sum(profit)' : 'sum(volume)'} desc, account limit ${limit}`,
    values.list,
  )
  return rows.map(({ account, volume, profit }) => ({ account: toHex(account), volume, profit }))
}
