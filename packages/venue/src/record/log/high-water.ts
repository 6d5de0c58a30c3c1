import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { drop } from '@augury/domain/pool'
import type { Clock } from '../../base/clock.ts'
import { connect, connection, requireClob } from '../../base/postgres.ts'
import type { Head, JournalReader } from './journal.ts'
import { keepWritersOut, readHead } from './lease.ts'
import { journalReader } from './postgres-journal.ts'

/** How often the mark is written while rows are. */
const EVERY_MS = 1000

/** The last position of a stream that a process on this machine has seen, and on which timeline. */
interface Mark {
  timeline: number
  seq: number
  checksum: string
}

/**
 * What the data folder remembers of a stream, apart from the database: when an older backup is restored, the exchange refuses to start
 * instead of trading as if the orders acknowledged since then had never been.
 */
export class HighWater {
  readonly #stream: string
  readonly #clock: Clock
  readonly #file: string
  readonly #onTrouble: (sentence: string) => void
  #mark: Mark | null = null
  #forget: (() => void) | null = null
  /** Ends with the last write: one at a time, so that an older mark never replaces a newer one. */
  #written: Promise<void> = Promise.resolve()

  constructor(dataDir: string, stream: string, clock: Clock, onTrouble: (sentence: string) => void = () => {}) {
    this.#stream = stream
    this.#clock = clock
    this.#file = join(dataDir, `high-water-${stream}.json`)
    this.#onTrouble = onTrouble
    mkdirSync(dataDir, { recursive: true })
  }

  /** Throws an explanation when the journal lacks what was seen, unless an operator has begun a new timeline since. */
  async check(journal: JournalReader, timeline: number, head: Head): Promise<void> {
    const mark = this.#read()
    if (!mark || timeline > mark.timeline || (await isHeld(journal, mark))) return
    throw new Error(
      `The database is not the one that this data folder knows: stream ${this.#stream} was seen up to ${mark.seq}, and the journal, which ` +
        `ends at ${head.seq}, does not hold that${missing(mark, head)}. Most likely an older backup was restored. Restore one that goes ` +
        'further; or, to give up what was acknowledged since, for good: npm run accept-restored',
    )
  }

  /** Says in a sentence what the journal lacks of what was seen. */
  async compare(journal: JournalReader, head: Head): Promise<string> {
    const mark = this.#read()
    if (!mark) return `The journal ends at ${head.seq}. This data folder has seen no other, so it cannot show whether commands are missing.`
    const seen = `The journal ends at ${head.seq}, and this data folder has seen up to ${mark.seq}`
    return (await isHeld(journal, mark)) ? `${seen}: nothing of that is missing.` : `${seen}, which is not in it${missing(mark, head)}.`
  }

  /** Notes that the stream was seen up to `head`; it is on disk within EVERY_MS. */
  note(timeline: number, { seq, checksum }: Head): void {
    this.#mark = { timeline, seq, checksum }
    this.#forget ??= this.#clock.after(EVERY_MS, () => void this.write())
  }

  /**
   * Writes what was noted now, off the event loop: orders must not wait for a disk that stands still. When the disk refuses, the next note
   * tries again; until then the mark is older, never wrong. Resolves once everything noted so far was tried.
   */
  write(): Promise<void> {
    if (this.#forget) {
      this.#forget()
      this.#forget = null
      this.#written = this.#written.then(() => this.#replace())
    }
    return this.#written
  }

  async #replace(): Promise<void> {
    try {
      await writeFile(`${this.#file}.new`, JSON.stringify(this.#mark))
      await rename(`${this.#file}.new`, this.#file)
    } catch (error) {
      if (!isOfTheSystem(error)) throw error
      this.#onTrouble(`how far the journal goes could not be written down: ${error.message}`)
    }
  }

  /** Timeline of the mark; 1 when there is none. */
  get timeline(): number {
    return this.#read()?.timeline ?? 1
  }

  /** The mark on disk. A file that a power failure left half written must not keep the exchange from starting. */
  #read(): Mark | null {
    if (!existsSync(this.#file)) return null
    try {
      return JSON.parse(readFileSync(this.#file, 'utf8'))
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      this.#onTrouble(`${this.#file} is no mark of how far the journal went, so an older backup that was restored cannot be detected`)
      return null
    }
  }
}

const isHeld = async (journal: JournalReader, mark: Mark): Promise<boolean> =>
  mark.seq === 0 || (await journal.checksumAt(mark.seq)) === mark.checksum

/** What is missing, as part of a sentence. A journal that was continued after a restore has other rows at the positions that were seen. */
const missing = (mark: Mark, head: Head): string =>
  mark.seq > head.seq
    ? `: at least ${mark.seq - head.seq} commands are missing`
    : ': it went another way, so the number of missing commands is unknown'

const isOfTheSystem = (error: unknown): error is NodeJS.ErrnoException => error instanceof Error && 'syscall' in error

/**
 * A new timeline is numbered by the current minute: when a backup is restored twice, and no data folder remembers the first time, the two
 * timelines still differ.
 */
const MINUTE = '(extract(epoch from now()) / 60)::int'

// A database that was never written to has no lease yet.
const BEGIN_TIMELINE = `
  insert into lease as l (stream, timeline, epoch, backend_pid, holder, verified_at)
  values ($1, greatest($2::int + 1, ${MINUTE}), 1, 0, 'accept-restored', now() - interval '1 hour')
  on conflict (stream) do update set timeline = greatest(l.timeline + 1, $2::int + 1, ${MINUTE})
  returning timeline`

/**
 * Accepts the database as it is, whatever the data folder has seen: begins a new timeline, which every reader of the streams sees. No
 * process may be writing. Says what is given up, before and after.
 */
export async function acceptRestored(databaseUrl: string, stream: string, seen: HighWater, say: (line: string) => void): Promise<void> {
  await requireClob(databaseUrl)
  const client = await connect(connection(databaseUrl, `accept ${stream}`))
  try {
    await keepWritersOut(client, stream)
    const lacks = await seen.compare(journalReader(client, stream), await readHead(client, stream))
    say(lacks)
    const { rows } = await client.query(BEGIN_TIMELINE, [stream, seen.timeline])
    say(
      `Timeline ${rows[0].timeline} begins with the next start, and gives up what was acknowledged after the end of the journal. ${lacks}`,
    )
  } finally {
    drop(client)
  }
}
