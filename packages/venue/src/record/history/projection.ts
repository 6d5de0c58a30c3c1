import type pg from 'pg'
import { EMPTY, type Head } from '../log/journal.ts'
import { FACT_TABLES, type Facts } from './facts.ts'
import { FOLDS, fold } from './folds.ts'
import type { Rest } from './follower.ts'
import { insertByCopy } from './insert-by-copy.ts'
import { type ShownPrice, writeShownPrices } from './shown-prices.ts'

/** How far the history of a stream is written. */
export async function readProjection(client: pg.ClientBase, stream: string): Promise<Head> {
  const { rows } = await client.query({
    name: 'projection',
    text: 'select projected_seq, at, checksum from projection where stream = $1',
    values: [stream],
  })
  return rows[0] ? { seq: rows[0].projected_seq, at: rows[0].at, checksum: rows[0].checksum.toString('hex') } : EMPTY
}

/** Like `readProjection`; begins an empty history when there is none. */
export async function beginProjection(client: pg.ClientBase, stream: string): Promise<Head> {
  await client.query(
    `insert into projection (stream, projected_seq, folded_seq, at, checksum, folds) values ($1, 0, 0, 0, $2, $3) on conflict do nothing`,
    [stream, Buffer.from(EMPTY.checksum, 'hex'), FOLDS],
  )
  return readProjection(client, stream)
}

/** Facts that are inserted by one statement: some milliseconds of the database's time. */
const ROWS_A_PIECE = 1000

/**
 * Writes facts, folds and the new position in one transaction, in pieces after each of which `rest` may wait. Throws when history does not
 * stand where these facts begin: another process writes it, as for a moment after a takeover, and the follower has to start again from
 * wherever it then stands.
 */
export async function project(
  client: pg.ClientBase,
  stream: string,
  from: Head,
  to: Head,
  facts: Facts,
  shown: readonly ShownPrice[] = [],
  rest: Rest = async () => {},
): Promise<void> {
  const piece = async <Answer>(work: Promise<Answer>): Promise<Answer> => {
    const begun = performance.now()
    const answer = await work
    await rest(performance.now() - begun)
    return answer
  }
  await client.query('begin')
  try {
    const { rowCount } = await client.query({
      name: 'project',
      text: `update projection set projected_seq = $3, folded_seq = $3, folds_seq = $3, at = $4, checksum = $5
             where stream = $1 and projected_seq = $2 and folded_seq = $2 and folds_seq = $2 and folds = $7 and checksum = $6`,
      values: [stream, from.seq, to.seq, to.at, Buffer.from(to.checksum, 'hex'), Buffer.from(from.checksum, 'hex'), FOLDS],
    })
    if (rowCount !== 1) throw new Error(`the history of stream ${stream} does not end at ${from.seq}`)
    const written = FACT_TABLES.filter((table) => facts[table].length > 0)
    for (const table of written) {
      const rows = facts[table]
      for (let n = 0; n < rows.length; n += ROWS_A_PIECE) await piece(insertByCopy(client, table, rows.slice(n, n + ROWS_A_PIECE)))
    }
    await fold(client, stream, from.seq, to.seq, written, piece)
    await writeShownPrices(client, stream, shown)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {}) // a broken connection has rolled back by itself
    throw error
  }
}
