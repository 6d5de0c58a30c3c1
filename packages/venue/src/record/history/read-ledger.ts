import type { Hex, Outcome } from '@augury/engine/command'
import type { EntryReason } from '@augury/engine/event'
import { toBytes, toHex } from '../../base/postgres.ts'
import { all, fetchSize, type Page, type PageRequest, pageOf, placeOf, type Source, Values } from './read-query.ts'

/** A net change of an account in one asset; `asset` null is USDC. */
export interface LedgerRecord {
  seq: number
  n: number
  at: number
  account: Hex
  asset: { condition: Hex; outcome: Outcome } | null
  delta: number
  balance: number
  reason: EntryReason
}

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

/** Ledger entries of an account, newest first. */
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
