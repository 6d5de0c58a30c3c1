import type { Hex, Outcome } from '@augury/engine/command'
import { ONE } from '@augury/units/price'
import { inTurns } from '../../base/in-turns.ts'
import { toBytes, toHex } from '../../base/postgres.ts'
import { counted, type Source } from './read-query.ts'

/** Totals of a condition, in millionths and lots. */
export interface ConditionStats {
  condition: Hex
  volume: number
  volume24h: number
  trades: number
  openInterest: number
  /** Accounts that hold Yes plus accounts that hold No. */
  holders: number
  /** Yes steps of the last trade, or null. */
  lastPrice: number | null
}

/** What an account holds and has traded of one outcome token, and what that cost and brought; in lots and millionths. */
export interface PositionRecord {
  account: Hex
  condition: Hex
  outcome: Outcome
  lots: number
  /** Lots that ever left, by whichever way, and the cost that they took along. */
  goneLots: number
  goneCost: number
  /** Cost of the lots held, fees included. */
  heldCost: number
  /** Profit of what was sold and paid out, after fees. */
  realised: number
  /** Fees paid for it: part of the costs, and taken off what was received. */
  fees: number
  /** Lots that were paid out after resolution, and what was paid for them. */
  redeemedLots: number
  redeemed: number
  /** Engine milliseconds of the last change. */
  changedAt: number
}

/** Positions that are made of rows in one turn of the event loop. */
const POSITIONS_AT_ONCE = 1000
const DAY = 24 * 60 * 60 * 1000
/** SQL of what backs a condition's tokens: one USDC per pair, and after the resolution what each side is paid. */
const OPEN_INTEREST = `
  case when weight is null then ${ONE} * no_lots else weight * yes_lots + (${ONE} - weight) * no_lots end`

/** Totals per condition; one that never traded has zeros. `now` is engine milliseconds. */
export async function readStats({ pool, stream }: Source, conditions: readonly Hex[], now: number): Promise<Map<Hex, ConditionStats>> {
  const { rows } = await pool.query({
    name: 'stats',
    text: `
      select s.condition_id, ${counted('s.volume')} as volume, s.trades, s.last_price,
        ${OPEN_INTEREST} as open_interest,
        (
          select ${counted('sum(p.volume)')} from price_point p where p.stream = s.stream and p.condition_id = s.condition_id and p.minute > $3
        ) as volume_24h,
        (select count(*) from position p where p.stream = s.stream and p.condition_id = s.condition_id and p.outcome in (0, 1) and p.lots > 0)
          as holders
      from condition_stats s where s.stream = $1 and s.condition_id = any($2)`,
    values: [stream, conditions.map(toBytes), now - DAY],
  })
  const none = { volume: 0, volume24h: 0, trades: 0, openInterest: 0, holders: 0, lastPrice: null }
  const found = new Map<Hex, ConditionStats>(conditions.map((condition) => [condition, { condition, ...none }]))
  for (const row of rows) {
    const condition = toHex(row.condition_id)
    found.set(condition, {
      condition,
      volume: row.volume,
      volume24h: row.volume_24h,
      trades: row.trades,
      openInterest: row.open_interest,
      holders: row.holders,
      lastPrice: row.last_price,
    })
  }
  return found
}

/** What backs the tokens of all conditions together. */
export async function readOpenInterest({ pool, stream }: Source): Promise<number> {
  const { rows } = await pool.query({
    name: 'open interest',
    text: `select ${counted(`sum(${OPEN_INTEREST})`)} as open_interest from condition_stats where stream = $1`,
    values: [stream],
  })
  return rows[0].open_interest
}

const REDEEMED = `
  redeemed_lots * (select case p.outcome when 0 then weight else ${ONE} - weight end
    from condition_stats s where s.stream = p.stream and s.condition_id = p.condition_id)`
const SUMS = ['gone_cost', 'realised', 'fees', 'redeemed_lots'].map((sum) => `${counted(sum)} as ${sum}`)
const GONE_LOTS = counted('sold_lots::numeric + redeemed_lots + merged_lots + greatest(-converted_lots, 0)')
const POSITION = `
  select account, condition_id, outcome, lots, held_cost, ${GONE_LOTS} as gone_lots, ${SUMS.join(', ')}, ${counted(REDEEMED)} as redeemed,
    (select at from journal j where j.stream = p.stream and j.first_seq <= p.seq order by j.first_seq desc limit 1) as changed_at
  from position p where stream = $1`

// biome-ignore lint/suspicious/noExplicitAny: a row of the database
const toPosition = (row: any): PositionRecord => ({
  account: toHex(row.account),
  condition: toHex(row.condition_id),
  outcome: row.outcome,
  lots: row.lots,
  goneLots: row.gone_lots,
  goneCost: row.gone_cost,
  heldCost: row.held_cost,
  realised: row.realised,
  fees: row.fees,
  redeemedLots: row.redeemed_lots,
  redeemed: row.redeemed,
  changedAt: row.changed_at,
})

/** Positions of an account, past ones too, largest first. */
export async function readPositions({ pool, stream }: Source, account: Hex, conditions?: readonly Hex[]): Promise<PositionRecord[]> {
  const { rows } = await pool.query({
    name: 'positions',
    text: `${POSITION} and account = $2 and ($3::bytea[] is null or condition_id = any($3)) order by lots desc, condition_id, outcome`,
    values: [stream, toBytes(account), conditions?.map(toBytes) ?? null],
  })
  return inTurns(rows, POSITIONS_AT_ONCE, toPosition)
}

/** Largest holders of an outcome token. */
export async function readHolders(
  { pool, stream }: Source,
  condition: Hex,
  outcome: Outcome,
  limit: number,
  offset = 0,
): Promise<PositionRecord[]> {
  const { rows } = await pool.query({
    name: 'holders',
    text: `${POSITION} and condition_id = $2 and outcome = $3 and lots > 0 order by lots desc, account limit $4 offset $5`,
    values: [stream, toBytes(condition), outcome, limit, offset],
  })
  return rows.map(toPosition)
}

/** Which positions in a token are listed, and how. */
export interface TokenPositionsAsked {
  /** Of this account only. */
  account: Hex | null
  /** Whether it is held still; null for both. */
  isHeld: boolean | null
  /** The displayed price in half steps, null without one. */
  price: number | null
  by: 'lots' | 'unrealised' | 'realised' | 'total'
  ascending: boolean
  limit: number
  offset: number
}

/** SQL of what token positions are ordered by, at a price in half steps. */
const orderedBy = (price: number | null) => {
  const unrealised = price === null ? '0' : `(lots * ${price}::numeric / 2 - held_cost)`
  return { lots: 'lots', unrealised, realised: 'p.realised', total: `(p.realised + ${unrealised})` }
}

/** Positions of all accounts in an outcome token, those that hold nothing any more included. */
export async function readTokenPositions(
  { pool, stream }: Source,
  [condition, outcome]: readonly [Hex, Outcome],
  { account, isHeld, price, by, ascending, limit, offset }: TokenPositionsAsked,
): Promise<PositionRecord[]> {
  const state = isHeld === null ? '' : `and lots ${isHeld ? '>' : '='} 0`
  const { rows } = await pool.query(
    `${POSITION} and condition_id = $2 and outcome = $3 and ($4::bytea is null or account = $4) ${state}
     order by ${orderedBy(price)[by]} ${ascending ? 'asc' : 'desc'}, account limit $5 offset $6`,
    [stream, toBytes(condition), outcome, account && toBytes(account), limit, offset],
  )
  return rows.map(toPosition)
}

/** Millionths that an account received of the fees that others paid, by condition. */
export async function readRewards({ pool, stream }: Source, account: Hex, conditions?: readonly Hex[]): Promise<Map<Hex, number>> {
  const { rows } = await pool.query({
    name: 'rewards',
    text: `
      select condition_id, ${counted('amount')} as amount from reward
      where stream = $1 and account = $2 and ($3::bytea[] is null or condition_id = any($3))`,
    values: [stream, toBytes(account), conditions?.map(toBytes) ?? null],
  })
  return new Map(rows.map(({ condition_id, amount }) => [toHex(condition_id), amount]))
}
