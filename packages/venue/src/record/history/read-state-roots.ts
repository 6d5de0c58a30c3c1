import type { Hex, Outcome } from '@augury/engine/command'
import type { StateRoot } from '@augury/signing/state-root'
import { leafOf, levelSizes, pathIndexes, RECORD_BYTES, recordAt, type Sum } from '@augury/signing/state-tree'
import type pg from 'pg'
import { toBytes, toHex } from '../../base/postgres.ts'
import { nodeSha256, saltOf } from './liabilities.ts'
import type { Source } from './read-query.ts'
import { CHUNK_RECORDS } from './state-roots.ts'

/** A signed root. Bytes as hex digits without `0x`, money in millionths. */
export interface RootRecord extends StateRoot {
  hash: string
  signature: string
  endorsement: string | null
}

/**
 * What an account had of an asset at a root, with the Merkle paths within the asset's tree and from there to the root; `asset` null is
 * USDC.
 */
export interface AssetProofRecord {
  asset: { condition: Hex; outcome: Outcome } | null
  amount: number
  index: number
  holders: number
  path: Sum[]
  total: number
  place: number
  top: Sum[]
}

const ROOT = `
  select stream, n, seq, at, closes, digest, encode(journal, 'hex') as journal, encode(previous, 'hex') as previous,
    encode(root, 'hex') as root, assets, holders, usdc, locked, converted, custody, encode(key, 'hex') as key, encode(hash, 'hex') as hash,
    encode(signature, 'hex') as signature, encode(endorsement, 'hex') as endorsement
  from state_root where stream = $1`

/** Signed roots before one, newest first. */
export async function readStateRoots({ pool, stream }: Source, before: number | null, limit: number): Promise<RootRecord[]> {
  const { rows } = await pool.query(`${ROOT} and ($2::int8 is null or n < $2) order by n desc limit $3`, [stream, before, limit])
  return rows
}

/** Keys that signed roots, newest first, with the first and the last root of each. */
export async function readProofKeys({ pool, stream }: Source): Promise<{ key: string; first: number; last: number }[]> {
  const { rows } = await pool.query(
    `select encode(key, 'hex') as key, min(n) as first, max(n) as last from state_root where stream = $1 group by key order by max(n) desc`,
    [stream],
  )
  return rows
}

/** The bytes of a token in a tree. */
const TOKEN = `condition_id || case outcome when 0 then '\\x00'::bytea else '\\x01'::bytea end`
const USDC = `\\x${'00'.repeat(33)}`

// The account's holder id for each asset that it may have had, and the chunk of that asset's tree where its leaf would be.
const LEAVES = `
  with mine as (
    select '${USDC}'::bytea as asset union all select ${TOKEN} from position where stream = $1 and account = $3
  ), named as (
    select tree.asset, tree.place, tree.holders, tree.total, sha256($4 || $3 || tree.asset) as holder
    from mine join state_tree tree on tree.stream = $1 and tree.n = $2 and tree.asset = mine.asset and tree.chunk = 0
  )
  select named.*, piece.chunk, piece.records from named cross join lateral (
    select chunk, records from state_tree tree
    where tree.stream = $1 and tree.n = $2 and tree.asset = named.asset and first <= named.holder order by chunk desc limit 1
  ) piece order by named.place`

const RECORDS = `
  select wanted.row, substring(records from wanted.at for ${RECORD_BYTES}) as record
  from unnest($3::bytea[], $4::int[], $5::int[]) with ordinality as wanted (asset, chunk, at, row)
  join state_tree tree on tree.stream = $1 and tree.n = $2 and tree.asset = wanted.asset and tree.chunk = wanted.chunk
  order by wanted.row`

/**
 * Proof of what an account had at a root; null when the root's tree is no longer kept. Reads one state of the database: the tree could be
 * given up between two queries.
 */
export async function readBalanceProof(
  { pool, stream }: Source,
  account: Hex,
  root: Pick<RootRecord, 'n' | 'assets'>,
): Promise<{ salt: string; assets: AssetProofRecord[] } | null> {
  const client = await pool.connect()
  try {
    await client.query('begin isolation level repeatable read')
    const proof = await proofIn(client, stream, account, root)
    await client.query('commit')
    client.release()
    return proof
  } catch (error) {
    client.release(true) // whatever state it is in
    throw error
  }
}

async function proofIn(
  client: pg.PoolClient,
  stream: string,
  account: Hex,
  root: Pick<RootRecord, 'n' | 'assets'>,
): Promise<{ salt: string; assets: AssetProofRecord[] } | null> {
  const kept = await client.query(
    `select secret from holder_salt where stream = $1 and exists (select from state_tree where stream = $1 and n = $2 and asset = '')`,
    [stream, root.n],
  )
  if (kept.rows.length === 0) return null
  const salt = saltOf(kept.rows[0].secret, toBytes(account))
  const { rows } = await client.query(LEAVES, [stream, root.n, toBytes(account), salt])
  const found = rows.flatMap((row) => {
    const index = indexIn(row)
    return index === null ? [] : [{ ...row, index, amount: recordAt(row.records, index - row.chunk * CHUNK_RECORDS).sum }]
  })
  const wanted = found.flatMap(({ asset, holders, place, index }) => [
    ...pathIndexes(holders, index).map((at) => ({ asset: asset as Buffer, at })),
    ...pathIndexes(root.assets, place).map((at) => ({ asset: Buffer.alloc(0), at })),
  ])
  const records = await client.query(RECORDS, [
    stream,
    root.n,
    wanted.map(({ asset }) => asset),
    wanted.map(({ at }) => Math.floor(at / CHUNK_RECORDS)),
    wanted.map(({ at }) => (at % CHUNK_RECORDS) * RECORD_BYTES + 1),
  ])
  let next = 0
  const way = (count: number, index: number): Sum[] =>
    pathIndexes(count, index).map((place) => {
      const record = recordAt(records.rows[next++].record, 0)
      return place < count ? leafOf(nodeSha256, record) : record // leaves are stored unhashed
    })
  const assets = found.map(({ asset, holders, total, place, index, amount }) => {
    const [path, top] = [way(holders, index), way(root.assets, place)]
    return { asset: assetOf(asset), amount, index, holders, path, total, place, top }
  })
  return { salt: salt.toString('hex'), assets }
}

/** Where in the asset's tree the holder's leaf is; null when it is not there. */
function indexIn({ holder, holders, chunk, records }: { holder: Buffer; holders: number; chunk: number; records: Buffer }): number | null {
  const from = chunk * CHUNK_RECORDS
  const count = Math.min(records.length / RECORD_BYTES, levelSizes(holders)[0]! - from)
  for (let at = 0; at < count; at++) if (holder.equals(recordAt(records, at).hash)) return from + at
  return null
}

const NO_TOKEN = Buffer.alloc(33)

const assetOf = (bytes: Buffer): AssetProofRecord['asset'] =>
  bytes.equals(NO_TOKEN) ? null : { condition: toHex(bytes.subarray(0, 32)), outcome: bytes[32] as Outcome }
