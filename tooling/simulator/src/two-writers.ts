import { setTimeout as wait } from 'node:timers/promises'
import { query } from '@augury/testing/connection'
import { type Prng, prng } from '@augury/testing/prng'
import { hostClock } from '@augury/venue/base/clock'
import { EMPTY, Fenced, GENESIS, type Head, type JournalRow, seal } from '@augury/venue/record/log/journal'
import { PostgresJournal } from '@augury/venue/record/log/postgres-journal'
import pg from 'pg'
import { realDatabase } from './real-database.ts'

/** Makes every insert wait, with its transaction open, while the lock named after its stream is held. */
const HOLD_OPEN = `
  create function hold_open() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock_shared(hashtext(new.stream)); return null; end $$;
  create trigger hold_open after insert on journal for each row execute function hold_open()`

/** Sessions of a stream's writer that wait for any lock. */
const WAITING = `select from pg_stat_activity where application_name = 'augury journal ' || $1 and wait_event_type = 'Lock'`
const HEAD = `select last_seq as seq, at, encode(checksum, 'hex') as checksum from journal where stream = $1 order by first_seq desc limit 1`
const TAKE_EPOCH = 'update lease set epoch = epoch + 1 where stream = $1'

/** Attempts the takeover without pause, so that it falls between any two steps of the previous writer. */
const eager = { ...hostClock, after: (_ms: number, run: () => void) => hostClock.after(0, run) }

let database: Promise<string> | undefined

async function openDatabase(): Promise<string> {
  const url = await realDatabase()
  await query(url, HOLD_OPEN)
  return url
}

/** A stream with a writer, its acknowledged rows, and a second session that can act as another writer. */
class Round {
  readonly stream: string
  /** Meetings so far, and those at which a commit was held open across the takeover. */
  readonly counts = { meetings: 0, heldOpen: 0 }
  readonly #url: string
  readonly #writers: PostgresJournal[] = []
  readonly #sessions: pg.Client[] = []
  readonly #acknowledged: JournalRow[] = []

  constructor(url: string, seed: number) {
    this.#url = url
    this.stream = `round ${seed}`
  }

  writer(clock = hostClock): PostgresJournal {
    const journal = new PostgresJournal({ databaseUrl: this.#url, stream: this.stream, requireDurability: false, clock })
    this.#writers.push(journal)
    return journal
  }

  async session(): Promise<pg.Client> {
    const client = new pg.Client(this.#url)
    await client.connect()
    this.#sessions.push(client)
    return client
  }

  /** Appends a row after a head. Resolves with the new head, or null when the writer was fenced. */
  async append(writer: PostgresJournal, epoch: number, head: Head): Promise<Head | null> {
    const place = { timeline: 1, epoch, firstSeq: head.seq + 1, lastSeq: head.seq + 1, at: 1000 + head.seq }
    const content = { rules: 1, appliedThrough: head.seq, digest: '0123456789abcdef', commands: Buffer.of(epoch & 255, 2, 3) }
    const row = seal(this.stream, { ...place, ...content, previousChecksum: head.checksum })
    try {
      await writer.append(row)
    } catch (error) {
      if (error instanceof Fenced) return null
      throw error
    }
    this.#acknowledged.push(row)
    return { seq: row.lastSeq, at: row.at, checksum: row.checksum }
  }

  /** Resolves when a writer of this stream waits in the database, or `other` has settled. */
  async waiting(session: pg.Client, other: Promise<unknown>): Promise<void> {
    let settled = false
    const settle = () => {
      settled = true
    }
    other.then(settle, settle)
    while (!settled && (await session.query(WAITING, [this.stream])).rowCount === 0) {}
  }

  /**
   * What is wrong with the journal of this stream, or null: it must be one chain without gaps, with epochs in order and every acknowledged
   * row.
   */
  async check(): Promise<string | null> {
    const reader = await this.session()
    const { rows } = await reader.query(
      `select first_seq as seq, epoch, encode(checksum, 'hex') as checksum, encode(previous_checksum, 'hex') as previous
       from journal where stream = $1 order by first_seq`,
      [this.stream],
    )
    for (const [index, row] of rows.entries()) {
      if (Number(row.seq) !== index + 1) return `a hole before ${row.seq}`
      if (row.previous !== (rows[index - 1]?.checksum ?? GENESIS)) return `${row.seq} does not follow the row before it`
      if (Number(row.epoch) < Number(rows[index - 1]?.epoch ?? 0)) return `${row.seq} is of a writer that was replaced`
    }
    const written = new Set(rows.map(({ checksum }) => checksum))
    const lost = this.#acknowledged.find(({ checksum }) => !written.has(checksum))
    return lost ? `${lost.firstSeq} was acknowledged and is not there` : null
  }

  async close(): Promise<void> {
    await Promise.all([...this.#writers.map((journal) => journal.close()), ...this.#sessions.map((client) => client.end())])
  }
}

/** A way in which one writer meets another, several times in a row. Resolves with the failure, or null. */
type Meeting = (round: Round, random: Prng) => Promise<string | null>

/**
 * A commit is held open while another process takes the epoch: the takeover must wait, and then see the row. Then the new writer writes.
 */
const heldOpen: Meeting = async (round, random) => {
  const writer = round.writer()
  let { epoch, head } = await writer.acquire()
  const [holder, taker] = [await round.session(), await round.session()]
  for (let count = random.integer(20, 40); count > 0; count--, epoch++) {
    await holder.query('select pg_advisory_lock(hashtext($1))', [round.stream])
    const writing = round.append(writer, epoch, head)
    await round.waiting(holder, writing)
    const taking = taker.query(TAKE_EPOCH, [round.stream]).then(() => taker.query(HEAD, [round.stream]))
    // Long enough to catch a takeover that does not wait; one that does wait loses nothing.
    await Promise.race([taking, wait(5)])
    await holder.query('select pg_advisory_unlock(hashtext($1))', [round.stream])
    const [written, taken] = await Promise.all([writing, taking])
    if (!written) return 'a writer was fenced before anybody had its epoch'
    if (taken.rows[0]?.checksum !== written.checksum) return 'a takeover did not see a row that was acknowledged'
    round.counts.meetings++
    round.counts.heldOpen++
    head = written
  }
  return null
}

/** A row meets an unfinished takeover: it must wait, and is not written. Then the new writer writes one, and is replaced in turn. */
const meetsTakeover: Meeting = async (round, random) => {
  const writer = round.writer()
  let { epoch, head } = await writer.acquire()
  const [taker, watcher] = [await round.session(), await round.session()]
  for (let count = random.integer(5, 20); count > 0; count--) {
    await taker.query('begin')
    await taker.query(TAKE_EPOCH, [round.stream])
    const writing = round.append(writer, epoch, head)
    await round.waiting(watcher, writing)
    await taker.query('commit')
    if (await writing) return 'a row was written after its epoch'
    round.counts.meetings++
    const written = await round.append(writer, ++epoch, head)
    if (!written) return 'a writer was fenced while it had the epoch'
    head = written
  }
  return null
}

/** The writer's epoch ends before it writes again: nothing of it is written, whatever predecessor it names. */
const isOver: Meeting = async (round, random) => {
  const writer = round.writer()
  const { epoch, head } = await writer.acquire()
  const first = (await round.append(writer, epoch, head))!
  round.counts.meetings++
  if (random.chance(0.5)) return (await round.append(writer, epoch, EMPTY)) ? 'a row was written beside the chain' : null
  await (await round.session()).query(TAKE_EPOCH, [round.stream])
  return (await round.append(writer, epoch, first)) ? 'a row was written after its epoch' : null
}

/** A writer ends at the moment of its last commit, while another asks all the time: its successor begins after that row. */
const goes: Meeting = async (round, random) => {
  let writer = round.writer(eager)
  let { epoch, head } = await writer.acquire()
  for (let count = random.integer(5, 20); count > 0; count--) {
    const next = round.writer(eager)
    const taking = next.acquire()
    await wait(random.integer(0, 3))
    const last = await round.append(writer, epoch, head)
    if (!last) return 'a writer was fenced while it had the lock'
    void writer.close()
    const taken = await taking
    if (taken.head.checksum !== last.checksum) return `a takeover begins at ${taken.head.seq}, the journal ends at ${last.seq}`
    round.counts.meetings++
    ;[writer, epoch, head] = [next, taken.epoch, taken.head]
  }
  return null
}

/**
 * A successor has all but asked for the lock when the writer commits once more and ends: the successor begins after that row. `goes` meets
 * this moment by chance only, and seldom on a busy machine.
 */
const goesAtTheLastMoment: Meeting = async (round, random) => {
  let writer = round.writer()
  let { epoch, head } = await writer.acquire()
  for (let count = random.integer(2, 5); count > 0; count--) {
    const next = round.writer(eager)
    const held = holdTakeovers(round.stream)
    const taking = next.acquire()
    await held.reached
    const last = await round.append(writer, epoch, head)
    await writer.close()
    held.release()
    if (!last) return 'a writer was fenced while it had the lock'
    const taken = await taking
    if (taken.head.checksum !== last.checksum) return `a takeover begins at ${taken.head.seq}, the journal ends at ${last.seq}`
    round.counts.meetings++
    ;[writer, epoch, head] = [next, taken.epoch, taken.head]
  }
  return null
}

/** Keeps this process from asking for a stream's lock from now on: `reached` resolves at the first try, which waits for `release`. */
function holdTakeovers(stream: string): { reached: Promise<void>; release: () => void } {
  const asked = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const { query: send } = pg.Client.prototype
  pg.Client.prototype.query = async function (this: pg.Client, ...statement: unknown[]) {
    const [text, values] = statement
    if (String(text).includes('pg_try_advisory_lock') && Array.isArray(values) && values[0] === stream) {
      asked.resolve()
      await released.promise
    }
    return Reflect.apply(send, this, statement)
  } as typeof send
  const release = () => {
    pg.Client.prototype.query = send
    released.resolve()
  }
  return { reached: asked.promise, release }
}

const meetings: Meeting[] = [heldOpen, meetsTakeover, isOver, goes, goesAtTheLastMoment]

/**
 * Two writers of one stream meet in a real PostgreSQL, in a way drawn from the seed. Resolves with the failure or null, and how often they
 * met.
 */
export async function meet(seed: number): Promise<{ failure: string | null; counts: Round['counts'] }> {
  database ??= openDatabase()
  const round = new Round(await database, seed)
  try {
    const failure = (await meetings[seed % meetings.length]!(round, prng(seed))) ?? (await round.check())
    return { failure, counts: round.counts }
  } finally {
    await round.close()
  }
}
