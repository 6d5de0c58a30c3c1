import { Exchange } from '@augury/engine/exchange'
import { NEWEST_RULES } from '@augury/engine/state'
import type { AppliedRow } from './applied-row.ts'
import { EMPTY, type Head, type JournalRow, seal } from './journal.ts'

/** A row does not follow from the ones before it, or does not lead to the state that it should. Nothing may be served from here on. */
export class Damaged extends Error {
  override readonly name = 'Damaged'
}

/** Digests remembered: more than needed, as a row is cut while at most one row before it is committed but not applied. */
const DIGESTS = 4

/**
 * An engine and its position in the journal. Writer, recovery, follower, standby and simulator all use it: the same rows, verified and
 * applied the same way.
 */
export class Replica {
  readonly exchange: Exchange
  readonly #stream: string
  #head: Head
  #epoch = 0
  readonly #digests: { seq: number; digest: string }[]

  /** Starts from an empty exchange, or from a restored one and the row it was taken after. */
  constructor(stream: string, exchange: Exchange = new Exchange(), head: Head = EMPTY) {
    this.#stream = stream
    this.exchange = exchange
    this.#head = head
    this.#digests = [{ seq: head.seq, digest: exchange.digest() }]
  }

  /** The last applied row. */
  get head(): Head {
    return this.#head
  }

  /** Checks that a row read from the journal follows the head, is unaltered, and was written over the same state. Throws Damaged. */
  verify(row: JournalRow): void {
    const { seq, at, checksum } = this.#head
    const where = `row ${row.firstSeq} of stream ${this.#stream}`
    // Before states are compared: under rules that this release does not know they differ without any damage.
    if (row.rules > NEWEST_RULES) throw new Damaged(`${where} has rules ${row.rules}, which a later release than this one knows`)
    if (row.firstSeq !== seq + 1) throw new Damaged(`${where} follows ${seq}: rows are missing`)
    if (row.previousChecksum !== checksum) throw new Damaged(`${where} continues another history`)
    if (seal(this.#stream, row).checksum !== row.checksum) throw new Damaged(`${where} was changed after it was written`)
    if (row.at < at) throw new Damaged(`${where} goes back in time`)
    if (row.epoch < this.#epoch) throw new Damaged(`${where} is of a writer that was replaced`)
    const known = this.#digests.find((entry) => entry.seq === row.appliedThrough)
    if (known && known.digest !== row.digest) throw new Damaged(`${where} was written over another state at ${row.appliedThrough}`)
  }

  /** Applies a committed row. A throw is a bug of the engine: stop. */
  apply(row: JournalRow): AppliedRow {
    const outcomes = this.exchange.applyRow(row)
    this.#reach(row)
    return { firstSeq: row.firstSeq, lastSeq: row.lastSeq, at: row.at, outcomes }
  }

  /** The same without reporting what the row did: several times faster. */
  replay(row: JournalRow): void {
    this.exchange.replay(row)
    this.#reach(row)
  }

  #reach(row: JournalRow): void {
    if (this.exchange.seq !== row.lastSeq)
      throw new Damaged(`row ${row.firstSeq} holds commands up to ${this.exchange.seq}, not ${row.lastSeq}`)
    this.#head = { seq: row.lastSeq, at: row.at, checksum: row.checksum }
    this.#epoch = row.epoch
    this.#digests.push({ seq: row.lastSeq, digest: this.exchange.digest() })
    if (this.#digests.length > DIGESTS) this.#digests.shift()
  }

  /** What the next row records of the state that it is cut over. */
  state(): Pick<JournalRow, 'appliedThrough' | 'digest' | 'rules'> {
    return { appliedThrough: this.#head.seq, digest: this.#digests.at(-1)!.digest, rules: this.exchange.nextRules }
  }
}
