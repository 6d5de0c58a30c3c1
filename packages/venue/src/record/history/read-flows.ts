import type { Hex, Outcome } from '@augury/engine/command'
import { toBytes, toHex } from '../../base/postgres.ts'
import { between, counted, type Source, Values } from './read-query.ts'

/** What came to an account, less what went, in a step of time: lots of a token, or millionths where there is no condition. */
export interface Flow {
  /** Counts the steps from 0. */
  n: number
  condition: Hex | null
  outcome: Outcome | null
  delta: number
}

/** What came and went since a time, but for deposits and withdrawals, by steps. Times are engine milliseconds. */
export async function readFlows({ pool, stream }: Source, account: Hex, from: number, step: number): Promise<Flow[]> {
  const values = new Values(stream)
  const [owner, begin, length] = [values.of(toBytes(account)), values.of(from), values.of(step)]
  const { rows } = await pool.query(
    `select ((at - ${begin}::int8) / ${length}::int8)::int as n, condition_id, outcome, ${counted('sum(delta)')} as delta
     from ledger_entry where stream = $1 and account = ${owner} and at > ${begin}::int8 and ${between(values, 'seq', { after: from })}
       and reason not in ('deposit', 'withdraw', 'withdraw_settled', 'withdraw_returned') group by 1, 2, 3`,
    values.list,
  )
  return rows.map(({ n, condition_id, outcome, delta }) => ({ n, condition: condition_id && toHex(condition_id), outcome, delta }))
}

/** Engine milliseconds of the first change of an account; null before it. */
export async function readFirstChange({ pool, stream }: Source, account: Hex): Promise<number | null> {
  const { rows } = await pool.query({
    name: 'first change',
    text: 'select at from ledger_entry where stream = $1 and account = $2 order by seq, n limit 1',
    values: [stream, toBytes(account)],
  })
  return rows[0]?.at ?? null
}
