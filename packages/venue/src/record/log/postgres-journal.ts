import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { drop } from '@augury/domain/pool'
import type pg from 'pg'
import { type Clock, hostClock, sleep } from '../../base/clock.ts'
import { checkDurability, connect, connection } from '../../base/postgres.ts'
import { selectByCopy } from '../../base/select-by-copy.ts'
import { Fenced, GENESIS, type Journal, type JournalReader, type JournalRow, ROWS_A_READ, type Tenure } from './journal.ts'
import { renewLease, takeLease } from './lease.ts'

const HEADER = 'timeline, epoch, first_seq, last_seq, at, rules, applied_through, digest'
type Header = [string, string, string, string, string, string, string, string]
const COLUMNS = `${HEADER}, commands, checksum, previous_checksum`

/**
 * Inserts only while the lease has our epoch, and only after the row that it names as its predecessor. The lease row stays locked until
 * the commit, so a takeover waits for this row and then sees it; a row that waited for a takeover finds another epoch and is not written.
 */
const APPEND = `
  insert into journal (stream, ${COLUMNS})
  select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12
  from lease
  where lease.stream = $1 and lease.timeline = $2 and lease.epoch = $3
    and coalesce((select checksum from journal where stream = $1 order by first_seq desc limit 1), '\\x${GENESIS}') = $12
  for share of lease`

/** Reads the journal over its owner's connection. */
export const journalReader = (client: pg.ClientBase, stream: string): JournalReader => ({
  stream,
  async read(afterSeq) {
    const rows = await selectByCopy(
      client,
      `select concat_ws(' ', ${HEADER}), commands, checksum, previous_checksum from journal
       where stream = ${client.escapeLiteral(stream)} and first_seq > ${afterSeq} order by first_seq limit ${ROWS_A_READ}`,
    )
    return rows.map(toRow)
  },
  async checksumAt(seq) {
    const text = 'select last_seq, checksum from journal where stream = $1 and first_seq <= $2 order by first_seq desc limit 1'
    const { rows } = await client.query(text, [stream, seq])
    return rows[0]?.last_seq === seq ? rows[0].checksum.toString('hex') : null
  },
})

/** The rows since an engine time, oldest first, over a connection of their own. */
export async function* rowsSince(databaseUrl: string, stream: string, at: number): AsyncGenerator<JournalRow> {
  const client = await connect(connection(databaseUrl, `rows ${stream}`))
  try {
    const first = await client.query('select first_seq from journal where stream = $1 and at >= $2 order by at, first_seq limit 1', [
      stream,
      at,
    ])
    if (!first.rows[0]) return
    const reader = journalReader(client, stream)
    for (let seq: number = first.rows[0].first_seq - 1; ; ) {
      const rows = await reader.read(seq)
      if (rows.length === 0) return
      yield* rows
      seq = rows.at(-1)!.lastSeq
    }
  } finally {
    drop(client)
  }
}

function toRow([header, commands, checksum, previousChecksum]: Buffer[]): JournalRow {
  const [timeline, epoch, firstSeq, lastSeq, at, rules, appliedThrough, digest] = header!.toString().split(' ') as Header
  return {
    timeline: Number(timeline),
    epoch: Number(epoch),
    firstSeq: Number(firstSeq),
    lastSeq: Number(lastSeq),
    at: Number(at),
    rules: Number(rules),
    appliedThrough: Number(appliedThrough),
    digest,
    commands: commands!,
    checksum: checksum!.toString('hex'),
    previousChecksum: previousChecksum!.toString('hex'),
  }
}

/** Where the journal lies. */
export interface PostgresJournalOptions {
  databaseUrl: string
  stream: string
  clock?: Clock
  /** Refuse a server that may lose commits. Only tests say false. */
  requireDurability?: boolean
}

/** The journal in PostgreSQL: one dedicated connection that holds the lock and carries every row, so that losing one loses both. */
export class PostgresJournal implements Journal {
  readonly stream: string
  readonly #options: PostgresJournalOptions
  readonly #clock: Clock
  /** Distinguishes this writer from every other, also from this process after a restart. */
  readonly #holder = `${hostname()}/${process.pid}/${randomUUID()}`
  #client: pg.Client | null = null
  #epoch = 0
  #closed = false

  constructor(options: PostgresJournalOptions) {
    this.#options = options
    this.#clock = options.clock ?? hostClock
    this.stream = options.stream
  }

  async acquire(): Promise<Tenure> {
    drop(this.#client)
    const session = { synchronous_commit: 'on', tcp_user_timeout: '3000' }
    const client = await connect({ ...connection(this.#options.databaseUrl, `journal ${this.stream}`, session), query_timeout: 5000 })
    this.#client = client
    try {
      if (this.#options.requireDurability !== false) await checkDurability(client)
      for (;;) {
        if (this.#closed) throw new Fenced('this journal is closed')
        const tenure = await takeLease(client, this.stream, this.#holder, this.#epoch > 0)
        if (tenure) {
          this.#epoch = tenure.epoch
          return tenure
        }
        await sleep(this.#clock, 100)
      }
    } catch (error) {
      drop(client) // it may hold the lock
      throw error
    }
  }

  async append(row: JournalRow): Promise<void> {
    const { rowCount } = await this.#connected().query({
      name: 'append',
      text: APPEND,
      values: [
        this.stream,
        row.timeline,
        row.epoch,
        row.firstSeq,
        row.lastSeq,
        row.at,
        row.rules,
        row.appliedThrough,
        row.digest,
        row.commands,
        Buffer.from(row.checksum, 'hex'),
        Buffer.from(row.previousChecksum, 'hex'),
      ],
    })
    if (rowCount !== 1) throw new Fenced(`row ${row.firstSeq} of stream ${this.stream} has lost its place`)
  }

  verify(): Promise<void> {
    return renewLease(this.#connected(), this.stream, this.#epoch)
  }

  read(afterSeq: number): Promise<JournalRow[]> {
    return journalReader(this.#connected(), this.stream).read(afterSeq)
  }

  checksumAt(seq: number): Promise<string | null> {
    return journalReader(this.#connected(), this.stream).checksumAt(seq)
  }

  async close(): Promise<void> {
    this.#closed = true
    const client = this.#client
    this.#client = null
    if (client) await Promise.race([client.end().catch(() => {}), sleep(this.#clock, 1000)])
    drop(client)
  }

  #connected(): pg.Client {
    if (!this.#client) throw new Error('the journal has no connection')
    return this.#client
  }
}
