import type { Hex } from '@augury/engine/command'
import type { Pool } from 'pg'
import { toBytes, toHex } from '../../base/postgres.ts'
import type { Source } from './read-query.ts'

/** A root in the vault: its number here, and the transaction that posted it. */
export interface PostedRootRecord {
  n: number
  transaction: Hex
}

/** Remembers the transaction that posted a signed root, named by its hash; the newest one if it was posted again. Null for an unknown root. */
export async function notePostedRoot(db: Pool, stream: string, hash: string, transaction: Hex): Promise<PostedRootRecord | null> {
  const { rows } = await db.query<{ n: number }>(
    `insert into posted_root (stream, n, seq, transaction_hash)
     select stream, n, seq, $3 from state_root where stream = $1 and hash = decode($2, 'hex')
     on conflict (stream, n) do update set transaction_hash = excluded.transaction_hash, posted_at = now() returning n`,
    [stream, hash, toBytes(transaction)],
  )
  return rows[0] ? { n: rows[0].n, transaction } : null
}

/** The transactions that posted roots, by the numbers of the roots; those that are not in the vault are absent. */
export async function readPostings({ pool, stream }: Source, numbers: readonly number[]): Promise<Map<number, Hex>> {
  if (numbers.length === 0) return new Map()
  const { rows } = await pool.query('select n, transaction_hash from posted_root where stream = $1 and n = any($2::int[])', [
    stream,
    numbers,
  ])
  return new Map(rows.map(({ n, transaction_hash }) => [n, toHex(transaction_hash)]))
}

/** The first root in the vault that includes each log position; positions that none includes are absent. */
export async function readSettlements({ pool, stream }: Source, seqs: readonly number[]): Promise<Map<number, PostedRootRecord>> {
  if (seqs.length === 0) return new Map()
  const { rows } = await pool.query(
    `select wanted.seq, posted.n, posted.transaction_hash from unnest($2::bigint[]) as wanted (seq) cross join lateral (
       select n, transaction_hash from posted_root where stream = $1 and posted_root.seq >= wanted.seq order by posted_root.seq limit 1
     ) posted`,
    [stream, [...new Set(seqs)]],
  )
  return new Map(rows.map(({ seq, n, transaction_hash }) => [Number(seq), { n, transaction: toHex(transaction_hash) }]))
}
