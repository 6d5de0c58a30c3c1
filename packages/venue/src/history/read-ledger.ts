import type { Hex } from '@augury/engine/command'
import { toBytes, toHex } from '../postgres.ts'
import type { LedgerRecord, Page, PageRequest } from './read-model.ts'
import { all, fetchSize, pageOf, placeOf, type Source, Values } from './read-query.ts'

const ENTRY = 'select seq, n, at, account, condition_id, outcome, delta, balance, reason from ledger_entry'

// biome-ignore lint/suspicious/noExplicitAny: a row of the database
const toEntry = (row: any): LedgerRecord => ({
  seq: row.seq,
  n: row.n,
  at: row.at,
  account: toHex(row.account),
  delta: row.delta,
  balance: row.balance,
  reason: row.reason,
  asset: row.condition_id && { condition: toHex(row.condition_id), outcome: row.outcome },
})

/** Implements ReadModel.ledger. */
export async function readLedger({ pool, stream }: Source, account: Hex, request: PageRequest): Promise<Page<LedgerRecord>> {
  const values = new Values(stream)
  const place = placeOf(request)
  const where = all(
    'stream = $1',
    `account = ${values.of(toBytes(account))}`,
    place && `(seq, n) < (${values.of(place.seq)}, ${values.of(place.n)})`,
  )
  const { rows } = await pool.query(`${ENTRY} where ${where} order by seq desc, n desc limit ${fetchSize(request)}`, values.list)
  return pageOf(rows.map(toEntry), request, (entry) => entry)
}
