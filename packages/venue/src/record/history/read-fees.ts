import type { Hex } from '@augury/engine/command'
import { toBytes } from '../../base/postgres.ts'
import type { Source } from './read-query.ts'

/** Sum, in millionths, of the fees that an account received in a range of the log: after the first position, up to the second. */
export async function readFeesOf({ pool, stream }: Source, account: Hex, after: number, upTo: number): Promise<number> {
  const { rows } = await pool.query(
    `select coalesce(sum(delta), 0)::int8 as amount from ledger_entry
     where stream = $1 and account = $2 and seq > $3 and seq <= $4 and reason = 'fee' and delta > 0`,
    [stream, toBytes(account), after, upTo],
  )
  return Number(rows[0].amount)
}
