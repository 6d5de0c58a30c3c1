import type { Hex, Outcome } from '@augury/engine/command'
import type pg from 'pg'
import { toBytes, toHex } from '../../base/postgres.ts'
import { applyMove, CostBasis, type Move, type PositionSums } from './cost-basis.ts'

/** The largest bigint. */
const LARGEST = '9223372036854775807'
/**
 * SQL of a sum that only grows away from 0, kept at the largest number that its column holds: the same money traded often enough exceeds it,
 * and history must not stop for that.
 */
export const grown = (sum: string, more: string): string => `greatest(least(${sum} + ${more}, ${LARGEST}), -${LARGEST})`

/**
 * SQL of what changed shares among some facts, in the order in which it is applied: of one command, what came comes first. What a conversion
 * moved is a row for each token.
 */
export const movesIn = (range: string, taker = 'true', maker = 'true', owner = 'true'): string => `
  select seq, account, kind, condition_id, outcome, lots::int8, usdc::int8, fee::int8 from (
    select seq, taker_account as account, side as kind, condition_id, outcome, sum(lots) as lots, sum(lots * price) as usdc, sum(fee) as fee, 0 as n
    from trade where ${range} and ${taker} group by 1, 2, 3, 4, 5
    union all
    select seq, maker_account, maker_side, condition_id, maker_outcome, sum(lots), sum(lots * maker_price), 0, 0
    from fill where ${range} and ${maker} group by 1, 2, 3, 4, 5
    union all
    select seq, account, reason, condition_id, outcome, case reason when 'convert' then delta else abs(delta) end,
      case reason
        when 'redeem' then -delta * (
          select case entry.outcome when 0 then weight else 10000 - weight end
          from condition_stats s where s.stream = entry.stream and s.condition_id = entry.condition_id
        )
        when 'convert' then coalesce((
          select delta from ledger_entry cash where cash.stream = entry.stream and cash.seq = entry.seq and cash.account = entry.account
            and cash.reason = 'convert' and cash.condition_id is null
        ), 0)
        else worth_of_half(stream, condition_id, seq, 0::smallint, abs(delta))
      end, 0, n
    from ledger_entry entry
    where ${range} and ${owner} and (reason in ('redeem', 'convert') or reason in ('split', 'merge') and outcome = 0) and condition_id is not null
  ) move order by seq, account, kind, n`

/** A row of `movesIn`; integers are texts where the connection does not read them. */
interface MoveRow {
  seq: number | string
  account: Buffer
  kind: Move['kind']
  condition_id: Buffer
  outcome: Outcome
  lots: number | string
  usdc: number | string
  fee: number | string
}

/** Makes moves of the rows of `movesIn`: those of one conversion are one. */
export function movesOf(rows: readonly MoveRow[]): Move[] {
  const moves: Move[] = []
  for (const { kind, outcome, ...row } of rows) {
    const [account, condition] = [toHex(row.account), toHex(row.condition_id)]
    const [seq, lots, usdc, fee] = [Number(row.seq), Number(row.lots), Number(row.usdc), Number(row.fee)]
    const last = moves.at(-1)
    if (kind !== 'convert') moves.push({ seq, account, kind, condition, outcome, lots, usdc, fee })
    else if (last?.kind === 'convert' && last.seq === seq) last.legs.push({ condition, outcome, lots })
    else moves.push({ seq, account, kind, legs: [{ condition, outcome, lots }], usdc })
  }
  return moves
}

/** Facts of the stream $1 after position $2 and up to $3. */
const MOVES = movesIn('stream = $1 and seq > $2 and seq <= $3')

const HELD = `
  select account, condition_id, outcome, lots, held_cost
  from position join unnest($2::bytea[], $3::bytea[], $4::int2[]) as asked (account, condition_id, outcome) using (account, condition_id, outcome)
  where stream = $1`

/** Columns that hold sums, by their names in `PositionSums`. */
const SUMS = {
  boughtLots: 'bought_lots',
  boughtCost: 'bought_cost',
  soldLots: 'sold_lots',
  soldCost: 'sold_cost',
  redeemedLots: 'redeemed_lots',
  mergedLots: 'merged_lots',
  convertedLots: 'converted_lots',
  goneCost: 'gone_cost',
  realised: 'realised',
  fees: 'fees',
} as const satisfies Record<keyof PositionSums, string>
const NAMES = Object.keys(SUMS) as (keyof PositionSums)[]
const COLUMNS = ['lots', 'held_cost', 'seq', ...Object.values(SUMS)]

const WRITE = `
  insert into position as p (stream, account, condition_id, outcome, ${COLUMNS.join(', ')})
  select $1, * from unnest($2::bytea[], $3::bytea[], $4::int2[], ${COLUMNS.map((_, n) => `$${n + 5}::int8[]`).join(', ')})
  on conflict (stream, account, condition_id, outcome) do update set lots = excluded.lots, held_cost = excluded.held_cost, seq = excluded.seq,
    ${Object.values(SUMS)
      .map((name) => `${name} = ${grown(`p.${name}::numeric`, `excluded.${name}`)}`)
      .join(', ')}`

/** Positions that are written by one statement. */
const ROWS_A_PIECE = 1000

interface Touched {
  account: Hex
  condition: Hex
  outcome: Outcome
  basis: CostBasis
}

/** The position of each token that some moves change, none of them loaded. */
function touchedBy(moves: readonly Move[]): Map<string, Touched> {
  const touched = new Map<string, Touched>()
  const add = (account: Hex, condition: Hex, outcome: Outcome) => {
    const key = keyOf(account, condition, outcome)
    if (!touched.has(key)) touched.set(key, { account, condition, outcome, basis: new CostBasis() })
  }
  for (const move of moves) {
    if (move.kind === 'convert') for (const { condition, outcome } of move.legs) add(move.account, condition, outcome)
    else if (move.kind !== 'split' && move.kind !== 'merge') add(move.account, move.condition, move.outcome)
    else for (const outcome of [0, 1] as const) add(move.account, move.condition, outcome)
  }
  return touched
}

const keyOf = (account: Hex, condition: Hex, outcome: Outcome): string => `${account}${condition}${outcome}`

/**
 * Adds the facts after one position and up to another to the fold of positions. Costs move between the tokens of an account, so its moves
 * are applied one after the other, by the rules of `CostBasis`.
 */
export async function foldPositions(
  client: pg.ClientBase,
  stream: string,
  after: number,
  upTo: number,
  piece: <Answer>(work: Promise<Answer>) => Promise<Answer>,
): Promise<void> {
  const { rows } = await piece(client.query({ name: 'moves', text: MOVES, values: [stream, after, upTo] }))
  const moves = movesOf(rows)
  const touched = touchedBy(moves)
  const all = [...touched.values()]
  const tokens = (some: readonly Touched[]) => [
    some.map(({ account }) => toBytes(account)),
    some.map(({ condition }) => toBytes(condition)),
    some.map(({ outcome }) => outcome),
  ]
  const held = await piece(client.query({ name: 'held', text: HELD, values: [stream, ...tokens(all)] }))
  for (const { account, condition_id, outcome, lots, held_cost } of held.rows) {
    touched.get(keyOf(toHex(account), toHex(condition_id), outcome))!.basis = new CostBasis(Number(lots), Number(held_cost))
  }
  for (const move of moves) {
    applyMove(move, (condition, outcome) => touched.get(keyOf(move.account, condition, outcome))!.basis)
  }
  for (let n = 0; n < all.length; n += ROWS_A_PIECE) {
    const some = all.slice(n, n + ROWS_A_PIECE)
    const bases = some.map(({ basis }) => basis)
    const sums = NAMES.map((name) => bases.map((basis) => basis.sums[name]))
    const columns = [bases.map(({ lots }) => lots), bases.map(({ cost }) => cost), bases.map(({ seq }) => seq), ...sums]
    await piece(client.query({ name: 'positions', text: WRITE, values: [stream, ...tokens(some), ...columns] }))
  }
}
