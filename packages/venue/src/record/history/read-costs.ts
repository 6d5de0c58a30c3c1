import type { Hex, Outcome } from '@augury/engine/command'
import { toBytes, toHex } from '../../base/postgres.ts'
import { applyMove, CostBasis } from './cost-basis.ts'
import { movesIn, movesOf } from './fold-positions.ts'
import type { Source } from './read-query.ts'

/** What the shares of an account in a token cost at some time, in millionths. */
export interface CostThen {
  account: Hex
  condition: Hex
  outcome: Outcome
  cost: number
}

/** The last position in the log at each of these times, 0 before the first. */
const POSITIONS = `
  select coalesce((select last_seq from journal where stream = $1 and at <= asked.at order by at desc, first_seq desc limit 1), 0) as seq
  from unnest($2::int8[]) with ordinality as asked (at, n) order by n`

/** A conversion moves cost between the markets of an event: those of the same events, besides the ones asked for. */
const RELATED = `
  select distinct member.condition_id
  from condition_change own join condition_change member on member.stream = own.stream and member.event_id = own.event_id
  where own.stream = $1 and own.condition_id = any($2) and own.event_id is not null`

const RANGE = 'stream = $1 and seq <= $2 and condition_id = any($3)'
const MOVES_OF_ONE = movesIn(RANGE, 'taker_account = $4', 'maker_account = $4', 'account = $4')
const MOVES_OF_ALL = movesIn(RANGE, 'true', 'seq in (select seq from trade where stream = $1 and seq <= $2 and condition_id = any($3))')

/**
 * What was held in some markets cost at each of these times (engine milliseconds, ascending): the same rules as for the cost of now, applied
 * to what had happened by then. Of one account, or of all for null. Positions without shares are left out.
 */
export async function readCosts(
  { pool, stream }: Source,
  conditions: readonly Hex[],
  times: readonly number[],
  account: Hex | null,
): Promise<CostThen[][]> {
  if (conditions.length === 0 || times.length === 0) return times.map(() => [])
  const asked = new Set(conditions)
  const { rows: related } = await pool.query({ name: 'related', text: RELATED, values: [stream, conditions.map(toBytes)] })
  const all = [...new Set([...asked, ...related.map(({ condition_id }) => toHex(condition_id))])].map(toBytes)
  const { rows: positions } = await pool.query({ name: 'positions at', text: POSITIONS, values: [stream, times] })
  const values = [stream, positions.at(-1).seq, all]
  const { rows } = await pool.query(
    account === null
      ? { name: 'moves of all', text: MOVES_OF_ALL, values }
      : { name: 'moves of one', text: MOVES_OF_ONE, values: [...values, toBytes(account)] },
  )
  const held = new Map<string, Omit<CostThen, 'cost'> & { basis: CostBasis }>()
  const moves = movesOf(rows)
  let next = 0
  return positions.map(({ seq }) => {
    for (; next < moves.length && moves[next]!.seq <= seq; next++) {
      const move = moves[next]!
      applyMove(move, (condition, outcome) => {
        const key = `${move.account}${condition}${outcome}`
        const known = held.get(key) ?? { account: move.account, condition, outcome, basis: new CostBasis() }
        held.set(key, known)
        return known.basis
      })
    }
    return [...held.values()].flatMap(({ basis, ...token }) =>
      asked.has(token.condition) && basis.lots > 0 ? [{ ...token, cost: basis.cost }] : [],
    )
  })
}
