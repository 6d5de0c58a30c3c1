import { hash } from 'node:crypto'
import { NO_ROOT, type StateRoot, stateRootText } from '@augury/signing/state-root'
import { levelSizes, RECORD_BYTES } from '@augury/signing/state-tree'
import type pg from 'pg'
import type { Replica } from '../log/replica.ts'
import { type Liabilities, liabilitiesOf } from './liabilities.ts'
import { type ProofKey, proofKey } from './proof-keys.ts'

/** Records in a chunk of a tree. */
export const CHUNK_RECORDS = 512
/** Number of newest roots whose trees are kept, so that proofs can be made. */
export const TREES_KEPT = 24
/** Chunks sent to the database in one statement. */
const CHUNKS_AT_ONCE = 128

/** What roots are made with. */
export interface ProofSettings {
  /** Milliseconds of engine time between two roots. */
  every: number
  /** Seeds of keys, 64 hex digits each: the first signs; an earlier one endorses the first root of its successor. */
  keys: readonly string[]
}

/** Signs the state at the end of every period (an hour). Uses its owner's connection. */
export class StateRoots {
  readonly #client: pg.ClientBase
  readonly #stream: string
  readonly #every: number
  readonly #keys: ProofKey[]

  constructor(client: pg.ClientBase, stream: string, { every, keys }: ProofSettings) {
    this.#client = client
    this.#stream = stream
    this.#every = every
    this.#keys = keys.map(proofKey)
  }

  /** Whether a period ends between the last applied row and the next one. Only engine time counts, so every replica decides the same. */
  isDue(head: number, next: number): boolean {
    return head > 0 && Math.floor(next / this.#every) > Math.floor(head / this.#every)
  }

  /** Writes the root of a replica at its head; false when that root exists already, or no account has anything. */
  async take({ exchange, head }: Replica): Promise<boolean> {
    const last = await this.#last()
    if (last && last.seq >= head.seq) return false
    const sum = liabilitiesOf(exchange, await holderSalt(this.#client, this.#stream))
    if (!sum) return false
    const { holders, usdc, locked, converted, custody, tree } = sum
    const signer = this.#keys[0]!
    const root: StateRoot = {
      stream: this.#stream,
      n: (last?.n ?? 0) + 1,
      seq: head.seq,
      at: head.at,
      closes: (Math.floor(head.at / this.#every) + 1) * this.#every,
      digest: exchange.digest(),
      journal: head.checksum,
      previous: last?.hash ?? NO_ROOT,
      root: Buffer.from(tree.root).toString('hex'),
      assets: tree.assets.length,
      holders,
      usdc,
      locked,
      converted,
      custody,
      key: signer.key,
    }
    // The first root of a new key is also signed by the key before it.
    const former = last && last.key !== signer.key ? this.#keys.find(({ key }) => key === last.key) : undefined
    await this.#client.query('begin')
    try {
      await this.#insertRoot(root, signer, former)
      await this.#insertTrees(root, sum)
      await this.#client.query(DELETE_TREES, [root.stream, root.n - TREES_KEPT, TREES_KEPT])
      await this.#client.query('commit')
    } catch (error) {
      await this.#client.query('rollback').catch(() => {}) // a broken connection has rolled back by itself
      throw error
    }
    return true
  }

  async #insertRoot(root: StateRoot, signer: ProofKey, former: ProofKey | undefined): Promise<void> {
    const text = stateRootText(root)
    await this.#client.query(INSERT_ROOT, [
      root.stream,
      root.n,
      root.seq,
      root.at,
      root.closes,
      root.digest,
      bytes(root.journal),
      bytes(root.previous),
      bytes(root.root),
      root.assets,
      root.holders,
      root.usdc,
      root.locked,
      root.converted,
      root.custody,
      bytes(root.key),
      hash('sha256', text, 'buffer'),
      signer.sign(text),
      former?.sign(text) ?? null,
    ])
  }

  async #insertTrees({ stream, n }: StateRoot, { tree, weights }: Liabilities): Promise<void> {
    const top = { asset: new Uint8Array(), holders: tree.assets.length, total: { sum: 0 }, records: tree.records }
    const chunks = [top, ...tree.assets, ...(weights ? [weights] : [])].flatMap((asset, at) => pieces(asset, at - 1))
    for (let from = 0; from < chunks.length; from += CHUNKS_AT_ONCE) {
      const some = chunks.slice(from, from + CHUNKS_AT_ONCE)
      const column = <Key extends keyof Piece>(name: Key) => some.map((piece) => piece[name])
      await this.#client.query(INSERT_PIECES, [
        stream,
        n,
        column('asset'),
        column('chunk'),
        column('place'),
        column('holders'),
        column('total'),
        column('first'),
        column('records'),
      ])
    }
  }

  async #last(): Promise<{ n: number; seq: number; hash: string; key: string } | null> {
    const { rows } = await this.#client.query(
      `select n, seq, encode(hash, 'hex') as hash, encode(key, 'hex') as key from state_root where stream = $1 order by n desc limit 1`,
      [this.#stream],
    )
    return rows[0] ?? null
  }
}

/**
 * Members leave by a root in the vault, and a veto takes back up to seven days. So the trees of posted roots are kept too: of the newest ones all, of
 * earlier ones the last of each hour for eight days.
 */
const DELETE_TREES = `
  delete from state_tree where stream = $1 and n <= $2 and n not in (
    (select n from posted_root where stream = $1 order by n desc limit $3)
    union all
    (select max(n) from posted_root where stream = $1 and posted_at > now() - interval '8 days' group by date_trunc('hour', posted_at))
  )`

const INSERT_ROOT = `
  insert into state_root (stream, n, seq, at, closes, digest, journal, previous, root, assets, holders, usdc, locked, converted, custody,
    key, hash, signature, endorsement)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)`

const INSERT_PIECES = `
  insert into state_tree (stream, n, asset, chunk, place, holders, total, first, records)
  select $1::text, $2::int, * from unnest($3::bytea[], $4::int[], $5::int[], $6::int[], $7::bigint[], $8::bytea[], $9::bytea[])`

/** The secret that hides the holders of a stream in public data, made at the first call. */
export async function holderSalt(client: Pick<pg.ClientBase, 'query'>, stream: string): Promise<Buffer> {
  const { rows } = await client.query(
    'insert into holder_salt (stream) values ($1) on conflict (stream) do update set stream = excluded.stream returning secret',
    [stream],
  )
  return rows[0].secret
}

interface Piece {
  asset: Buffer
  chunk: number
  place: number
  holders: number
  total: number
  first: Buffer | null
  records: Buffer
}

interface Tree {
  asset: Uint8Array
  holders: number
  total: { sum: number }
  records: Uint8Array
}

/** A tree in chunks; `place` is the asset's index among all assets, −1 for the tree over them. */
function pieces({ asset, holders, total, records }: Tree, place: number): Piece[] {
  const count = levelSizes(holders).reduce((sum, size) => sum + size, 0)
  return Array.from({ length: Math.ceil(count / CHUNK_RECORDS) }, (_, chunk) => {
    const from = chunk * CHUNK_RECORDS
    const part = Buffer.from(records.buffer, records.byteOffset + from * RECORD_BYTES, Math.min(CHUNK_RECORDS, count - from) * RECORD_BYTES)
    const first = from < holders ? part.subarray(0, 32) : null
    return { asset: Buffer.from(asset), chunk, place: Math.max(place, 0), holders, total: total.sum, first, records: part }
  })
}

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex')
