import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type pg from 'pg'
import { selectByCopy } from '../../base/select-by-copy.ts'
import { SNAPSHOTS_KEPT, type SnapshotStore, snapshotHash } from './snapshots.ts'

/** Bytes of a snapshot in one row and one message of the database protocol. */
const CHUNK_BYTES = 4 * 1024 * 1024

// The follower starts from a snapshot that history has reached, so the newest of those stays, however many newer ones there are.
const PRUNE = `
  delete from snapshot where stream = $1
    and seq not in (select seq from snapshot where stream = $1 order by seq desc limit $2)
    and seq <> (
      select coalesce(max(s.seq), 0) from snapshot s join projection p on p.stream = s.stream and s.seq <= p.projected_seq where s.stream = $1
    )`

/** The hash of a snapshot, computed chunk by chunk so that the thread can do other work in between. */
async function hashOf(bytes: Uint8Array): Promise<Buffer> {
  const hash = createHash('sha256')
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    hash.update(bytes.subarray(at, at + CHUNK_BYTES))
    await setImmediate()
  }
  return hash.digest()
}

/** Snapshots in the same database as the journal, so that a backup has both or neither. Uses its owner's connection. */
export const postgresSnapshots = (client: pg.ClientBase, stream: string): SnapshotStore => ({
  async save({ seq, at, rules, checksum, bytes }) {
    const chunks = Math.ceil(bytes.length / CHUNK_BYTES)
    await client.query('begin')
    try {
      await client.query(
        `insert into snapshot (stream, seq, at, rules, checksum, hash, size, chunks) values ($1, $2, $3, $4, $5, $6, $7, $8)
         on conflict do nothing`,
        [stream, seq, at, rules, Buffer.from(checksum, 'hex'), await hashOf(bytes), bytes.length, chunks],
      )
      for (let n = 0; n < chunks; n++) {
        const chunk = bytes.subarray(n * CHUNK_BYTES, (n + 1) * CHUNK_BYTES)
        const text = 'insert into snapshot_chunk (stream, seq, n, bytes) values ($1, $2, $3, $4) on conflict do nothing'
        await client.query(text, [stream, seq, n, chunk])
      }
      await client.query(PRUNE, [stream, SNAPSHOTS_KEPT])
      await client.query('commit')
    } catch (error) {
      await client.query('rollback').catch(() => {}) // a broken connection has rolled back by itself
      throw error
    }
  },

  async newest(below) {
    const { rows } = await client.query(
      'select seq, at, rules, checksum, hash, size, chunks from snapshot where stream = $1 and seq < $2 order by seq desc limit 1',
      [stream, below],
    )
    const found = rows[0]
    if (!found) return null
    const bytes = Buffer.allocUnsafe(found.size)
    const name = client.escapeLiteral(stream)
    let length = 0
    for (let n = 0; n < found.chunks; n++) {
      const [chunk] = await selectByCopy(
        client,
        `select bytes from snapshot_chunk where stream = ${name} and seq = ${found.seq} and n = ${n}`,
      )
      length += chunk?.[0]?.copy(bytes, length) ?? 0
    }
    const whole = length === found.size && snapshotHash(bytes).equals(found.hash)
    const { seq, at, rules, checksum } = found
    return { seq, snapshot: whole ? { seq, at, rules, checksum: checksum.toString('hex'), bytes } : null }
  },
})
