import type { Hex, Outcome, Side } from '@augury/engine/command'
import type { EntryReason } from '@augury/engine/event'
import type { ActivityType } from '@augury/wire/data'
import { toBytes, toHex } from '../../base/postgres.ts'
import { feeOf, orderMovements } from './order-movements.ts'
import { all, between, counted, type Source, Values } from './read-query.ts'

/** A trade of an account, or another change of its cash or tokens. `lots` in lots, `usdc` and `fee` in millionths. */
export interface Movement {
  seq: number
  n: number
  at: number
  type: ActivityType
  /** Null for cash alone. Of several markets, which are always of one event, one. */
  condition: Hex | null
  /** Whether it concerns several markets. */
  several: boolean
  outcome: Outcome | null
  side: Side | null
  lots: number
  usdc: number
  /** Paid on top, by the taker. */
  fee: number
  /** Of an order: its fills, newest first, at most `FILLS_TOLD` of them. */
  fills: OrderFill[] | null
}

/** A fill of an order: `price` in steps of its token, `fee` in millionths. */
export interface OrderFill {
  seq: number
  n: number
  at: number
  price: number
  lots: number
  fee: number
}

/** Which movements: an empty filter is all. Times are engine milliseconds, both ends excluded. */
export interface MovementFilter {
  types?: readonly ActivityType[]
  conditions?: readonly Hex[]
  /** With one of these only trades pass: by side, by token, by price × lots in millionths, by lots. */
  side?: Side
  /** In the account's own token. */
  outcome?: Outcome
  minCost?: number
  minLots?: number
  /** Whether trades as a maker are left out. */
  takerOnly?: boolean
  /** Whether all trades of an order are one movement, at the time of the last one. Not with `minCost`, `minLots` or `takerOnly`. */
  byOrder?: boolean
  before?: number
  after?: number
}

const REASONS = {
  SPLIT: ['split'],
  MERGE: ['merge'],
  REDEEM: ['redeem'],
  CONVERSION: ['convert'],
  DEPOSIT: ['deposit', 'withdraw_returned'],
  WITHDRAWAL: ['withdraw'],
} as const satisfies Partial<Record<ActivityType, EntryReason[]>>
/** Shares of fees that others paid. */
const EARNED = { MAKER_REBATE: ['rebate'], REFERRAL_REWARD: ['affiliate'], FEE: ['fee'] } as const satisfies Record<
  Exclude<ActivityType, 'TRADE' | keyof typeof REASONS>,
  EntryReason[]
>
const typesOf = <Type extends ActivityType>(reasons: Record<Type, unknown>) => Object.keys(reasons) as Type[]

/** SQL that maps the reason of an entry to its type. */
const typeOf = (reasons: Partial<Record<ActivityType, readonly EntryReason[]>>): string =>
  `case reason ${Object.entries(reasons)
    .flatMap(([type, of]) => of.map((reason) => `when '${reason}' then '${type}'`))
    .join(' ')} end`

/**
 * Trades and other changes of an account's cash and tokens, newest first unless told otherwise. Together they explain its cash. A returned
 * withdrawal counts as a deposit. A payout has the outcome that was held, or none where both were. When an account trades in a market whose fees it receives, the fee of its trade is what was left after its
 * own share.
 */
export async function readMovements(
  { pool, stream }: Source,
  account: Hex,
  filter: MovementFilter,
  { limit, offset, oldestFirst = false }: { limit: number; offset: number; oldestFirst?: boolean },
): Promise<Movement[]> {
  const values = new Values(stream)
  const owner = values.of(toBytes(account))
  // A maker may have sold one token and bought the other in one trade: without an order among the two, pages could repeat one and lose one.
  const inOrder = (tie: readonly string[]) =>
    `order by ${oldestFirst ? ['seq', 'n', ...tie.map((name) => `${name} desc`)] : ['seq desc', 'n desc', ...tie]}`
  const most = `limit ${limit + offset}`
  const last = `${inOrder([])} ${most}`
  const asked = new Set(filter.types ?? ['TRADE', ...typesOf(REASONS), ...typesOf(EARNED)])
  const conditions = filter.conditions && `condition_id = any(${values.of(filter.conditions.map(toBytes))})`
  const time = between(values, 'seq', filter)
  const trades = all('stream = $1', !asked.has('TRADE') && 'false', time, conditions)
  const { side, outcome, minCost, minLots } = filter
  const onlyTrades = [side, outcome, minCost, minLots].some((one) => one !== undefined)
  const least = (lots: string, cost: string) =>
    all(minLots !== undefined && `${lots} >= ${values.of(minLots)}`, minCost !== undefined && `${cost} >= ${values.of(minCost)}`)
  const onSide = (prefix: string) =>
    all(side && `${prefix}side = ${values.of(side)}`, outcome !== undefined && `${prefix}outcome = ${values.of(outcome)}`)
  const mine = all('stream = $1', `account = ${owner}`, time)
  const of = <Type extends ActivityType>(reasons: Record<Type, EntryReason[]>) => {
    const wanted = typesOf(reasons).flatMap((type) => (asked.has(type) ? reasons[type] : []))
    return all(mine, `reason = any(${values.of(wanted)})`, onlyTrades && 'false')
  }
  const changes = all(of(REASONS), conditions && `seq in (select seq from ledger_entry where ${all(mine, conditions)})`)
  const tradeOf = `from trade where trade.stream = $1 and trade.seq = earned.seq`
  const earnings = all(of(EARNED), 'delta > 0', conditions && `exists (select ${tradeOf} and ${conditions})`)
  const taken = all(trades, `taker_account = ${owner}`, onSide(''))
  const made = all(trades, filter.takerOnly && 'false', `maker_account = ${owner}`, onSide('maker_'))
  const eachTrade = () => `
    (select seq, n, at, 'TRADE' as type, condition_id, outcome, side, lots, lots * price as usdc, ${feeOf('taken', owner)} as fee,
       false as several, null::jsonb as fills
     from (select * from trade where ${all(taken, least('lots', 'lots * price'))} ${last}) taken)
    union all
    (select seq, trade_n as n, min(at), 'TRADE', condition_id, maker_outcome, maker_side, sum(lots), sum(lots * maker_price), 0, false, null
     from fill where ${made} group by seq, trade_n, condition_id, maker_outcome, maker_side, maker_price
     having ${least('sum(lots)', 'sum(lots * maker_price)')} ${inOrder(['maker_outcome', 'maker_side'])} ${most})`
  const text = `
    ${filter.byOrder ? orderMovements({ taken, made, last, owner }) : eachTrade()}
    union all
    (select seq, min(n) as n, min(at), ${typeOf(REASONS)},
       (array_agg(condition_id) filter (where condition_id is not null))[1],
       case when reason = 'redeem' and count(distinct (condition_id, outcome)) filter (where condition_id is not null) = 1
         then min(outcome) filter (where condition_id is not null) end, null,
       coalesce(case reason when 'redeem' then sum(-delta) filter (where condition_id is not null)
         else max(abs(delta)) filter (where condition_id is not null) end, 0),
       abs(coalesce(sum(delta) filter (where condition_id is null), 0)), 0, count(distinct condition_id) > 1, null
     from ledger_entry where ${changes} group by seq, reason ${last})
    union all
    (select seq, n, at, ${typeOf(EARNED)}, (select condition_id ${tradeOf} order by n limit 1), null, null, 0, delta, 0, false, null
     from ledger_entry earned where ${earnings} ${last})
    ${inOrder(['type', 'outcome', 'side'])} limit ${limit} offset ${offset}`
  const { rows } = await pool.query(text, values.list)
  return rows.map((row) => ({
    seq: row.seq,
    n: row.n,
    at: row.at,
    type: row.type,
    outcome: row.outcome,
    side: row.side,
    lots: row.lots,
    usdc: row.usdc,
    fee: row.fee,
    condition: row.condition_id && toHex(row.condition_id),
    several: row.several,
    fills: row.fills,
  }))
}

/** Volume in millionths and number of trades of these accounts; accounts that never traded are absent. */
export async function readTotalsOf(
  { pool, stream }: Source,
  accounts: readonly Hex[],
): Promise<Map<Hex, { volume: number; trades: number }>> {
  const { rows } = await pool.query({
    name: 'totals of accounts',
    text: `
      select account, ${counted('sum(bought_cost + sold_cost)')} as volume, trades
      from account_stats join position using (stream, account) where stream = $1 and account = any($2) group by account, trades`,
    values: [stream, accounts.map(toBytes)],
  })
  return new Map(rows.map(({ account, volume, trades }) => [toHex(account), { volume, trades }]))
}

/** In how many conditions an account traded. */
export async function readTraded({ pool, stream }: Source, account: Hex): Promise<number> {
  const { rows } = await pool.query({
    name: 'traded',
    text: 'select count(distinct condition_id) as traded from position where stream = $1 and account = $2 and bought_lots + sold_lots > 0',
    values: [stream, toBytes(account)],
  })
  return rows[0].traded
}
