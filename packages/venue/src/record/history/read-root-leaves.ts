import type { Hex, Outcome } from '@augury/engine/command'
import { bytesHex, RECORD_BYTES, recordAt } from '@augury/signing/state-tree'
import { WEIGHTS } from '@augury/signing/void-weights'
import type { Source } from './read-query.ts'
import { CHUNK_RECORDS } from './state-roots.ts'

/** Pieces of a page: at most so many times `CHUNK_RECORDS` leaves. */
const PIECES_A_PAGE = 32

/** A run of an asset's leaves in the tree of a root; `asset` null is USDC. */
export interface LeafPiece {
  asset: { condition: Hex; outcome: Outcome } | null
  /** Index of the asset among all, and number of its leaves. */
  place: number
  holders: number
  /** Index of the first leaf of this piece. */
  from: number
  /** Records of 40 bytes: holder and amount. */
  leaves: Buffer
}

/** Where a page ends: an asset's bytes as hex digits, and a chunk of its tree. */
export interface LeafPlace {
  asset: string
  chunk: number
}

// One statement, and so one state of the database: a row without a piece where the page is empty, no row where the tree is no longer kept.
const PIECES = `
  select piece.* from (select from state_tree where stream = $1 and n = $2 and asset = '' and chunk = 0) kept left join lateral (
    select encode(asset, 'hex') as asset, chunk, place, holders, records from state_tree tree
    where tree.stream = $1 and tree.n = $2 and tree.first is not null and tree.asset < '${pgBytes(WEIGHTS)}'
      and tree.asset <> '' and (tree.asset, tree.chunk) > (decode($3, 'hex'), $4::int)
    order by tree.asset, tree.chunk limit ${PIECES_A_PAGE}
  ) piece on true order by piece.asset, piece.chunk`

/** Leaves of a root after a place (null: from the first), and where to go on, null at the end. Null when the root's tree is no longer kept. */
export async function readRootLeaves(
  { pool, stream }: Source,
  n: number,
  after: LeafPlace | null,
): Promise<{ pieces: LeafPiece[]; next: LeafPlace | null } | null> {
  const { rows } = await pool.query(PIECES, [stream, n, after?.asset ?? '', after?.chunk ?? 0])
  if (rows.length === 0) return null
  const found = rows.filter(({ asset }) => asset !== null)
  const pieces = found.map(({ asset, chunk, place, holders, records }): LeafPiece => {
    const from = chunk * CHUNK_RECORDS
    // The last piece with leaves goes on with the nodes above them.
    return { asset: assetOf(asset), place, holders, from, leaves: records.subarray(0, (holders - from) * RECORD_BYTES) }
  })
  const last = found.at(-1)
  return { pieces, next: last && found.length === PIECES_A_PAGE ? { asset: last.asset, chunk: last.chunk } : null }
}

const WEIGHT_PIECES = `
  select piece.holders, piece.chunk, piece.records from (select from state_tree where stream = $1 and n = $2 and asset = '' and chunk = 0) kept
  left join lateral (
    select holders, chunk, records from state_tree tree
    where tree.stream = $1 and tree.n = $2 and tree.asset = '${pgBytes(WEIGHTS)}' and tree.first is not null
  ) piece on true order by piece.chunk`

/**
 * What one Yes of each held condition pays at a root if no result is reported, in ten-thousandths. Null when the root's tree is no longer kept.
 */
export async function readRootWeights({ pool, stream }: Source, n: number): Promise<{ condition: Hex; weight: number }[] | null> {
  const { rows } = await pool.query(WEIGHT_PIECES, [stream, n])
  if (rows.length === 0) return null
  return rows.flatMap(({ holders, chunk, records }) => {
    if (records === null) return []
    const count = Math.min(CHUNK_RECORDS, holders - chunk * CHUNK_RECORDS)
    return Array.from({ length: count }, (_, at) => {
      const { hash, sum } = recordAt(records, at)
      return { condition: bytesHex(hash), weight: sum }
    })
  })
}

function assetOf(text: string): LeafPiece['asset'] {
  return /^0+$/.test(text) ? null : { condition: `0x${text.slice(0, 64)}`, outcome: Number(text.slice(64)) as Outcome }
}

/** Bytes as a literal of PostgreSQL. */
function pgBytes(bytes: Uint8Array): string {
  return `\\x${Buffer.from(bytes).toString('hex')}`
}
