import { ONE } from '@augury/units/price'
import { type Column, Columns, INITIAL_ROWS, isColumn, Table } from './columns.ts'
import { Exchange } from './exchange.ts'
import { KeyIndex } from './key-index.ts'
import { Ladder } from './ladder.ts'
import { OrderStore } from './order-store.ts'
import type { State } from './state.ts'
import { DecodeError } from './words.ts'

/** "AUGS" and the version of the format. */
const MAGIC = 0x53475541
const VERSION = 2
/** Size of newly allocated memory, as a multiple of the copy. */
const SPARE = 1.25
/** Bytes copied between two yields: less than a millisecond. */
const PIECE = 2 * 1024 * 1024

/**
 * A copy of the whole state: each table's registers and used rows, column by column, then the ladders. Taken at a row boundary.
 * `into` is used when it is large enough: copying into fresh memory takes several times as long, because its pages are mapped
 * on first use. A newly allocated copy therefore has some spare room behind it, for the next time.
 */
export function takeSnapshot(exchange: Exchange, into?: Uint8Array): Uint8Array {
  const copying = copySnapshot(exchange, into)
  for (;;) {
    const step = copying.next()
    if (step.done) return step.value
  }
}

/** The same, yielding after every `piece` bytes so that the thread can do other work. Throws when a row is applied meanwhile. */
export function* copySnapshot(exchange: Exchange, into?: Uint8Array, piece = PIECE): Generator<void, Uint8Array> {
  const { seq, at } = exchange
  const layout = new Layout()
  lay(layout, exchange)
  const bytes = into !== undefined && into.length >= layout.length ? into : new Uint8Array(Math.ceil(layout.length * SPARE))
  for (const _ of layout.copy(bytes, piece)) {
    yield
    if (exchange.seq !== seq || exchange.at !== at) throw new Error(`row ${seq} was applied while the state before it was copied`)
  }
  return bytes.subarray(0, layout.length)
}

function lay(layout: Layout, { state }: Exchange): void {
  layout.number(MAGIC)
  layout.number(VERSION)
  for (const part of parts(state)) layPart(layout, part)
  const { ladders } = state.conditions
  for (let row = 1; row < state.conditions.used; row++) {
    const ladder = ladders[row]
    layout.number(ladder?.grid ?? 0)
    if (ladder !== undefined) layLadder(layout, ladder)
  }
}

/** Restores the exchange of a snapshot, bit for bit. Throws DecodeError on anything else. */
export function restoreSnapshot(bytes: Uint8Array): Exchange {
  const reader = new Reader(bytes)
  if (reader.number() !== MAGIC || reader.number() !== VERSION) throw new DecodeError('not a snapshot of this version')
  const exchange = new Exchange()
  const { state } = exchange
  for (const part of parts(state)) readPart(reader, part)
  for (let row = 1; row < state.conditions.used; row++) {
    const grid = reader.number()
    if (grid !== 0) state.conditions.ladders[row] = readLadder(reader, grid)
  }
  reader.end()
  return exchange
}

/** The parts of the state, in the order in which they are written. */
function parts(state: State): object[] {
  const { orders, accounts, holdings, conditions, events, requests, refs, withdrawals, expiries, deadlines, digest } = state
  return [state, orders, orders.extras, accounts, holdings, conditions, events, requests, refs, withdrawals, expiries, deadlines, digest]
}

/** Numbers and columns in the order in which the class declares them. A column of a table goes as far as its rows are used. */
function layPart(layout: Layout, part: object): void {
  for (const value of Object.values(part)) {
    if (typeof value === 'number') layout.number(value)
    else if (isColumn(value)) layout.column(value, usedLength(part, value))
    else if (value instanceof KeyIndex) layout.column(value.keys, usedLength(part, value.keys))
  }
}

function readPart(reader: Reader, part: object): void {
  for (const [name, value] of Object.entries(part)) {
    if (typeof value === 'number') Object.assign(part, { [name]: reader.number() })
    else if (isColumn(value)) reader.column(part, value, (column) => Object.assign(part, { [name]: column }))
    else if (value instanceof KeyIndex) reader.column(part, value.keys, (column) => (value.keys = column as Uint32Array))
  }
  if (part instanceof OrderStore) part.rebind()
  if (part instanceof Table) for (const index of Object.values(part)) if (index instanceof KeyIndex) index.rebuild(part.rows())
}

function usedLength(part: object, column: Column): number {
  return part instanceof Columns && column.length >= part.capacity ? (column.length / part.capacity) * part.used : column.length
}

function layLadder(layout: Layout, ladder: Ladder): void {
  layout.number(ladder.orders)
  layout.number(ladder.bestBid)
  layout.number(ladder.bestAsk)
  for (const column of [ladder.head, ladder.tail, ladder.lots, ladder.bits]) layout.column(column, column.length)
}

function readLadder(reader: Reader, grid: number): Ladder {
  if (ONE % grid !== 0) throw new DecodeError(`no grid: ${grid}`)
  const ladder = new Ladder(grid)
  ladder.orders = reader.number()
  ladder.bestBid = reader.number()
  ladder.bestAsk = reader.number()
  for (const column of [ladder.head, ladder.tail, ladder.lots, ladder.bits]) reader.fill(column)
  return ladder
}

/** The layout of a snapshot: 8-byte numbers, and columns prefixed with their length in bytes and padded to 8 bytes. */
class Layout {
  length = 0
  readonly #numbers: { at: number; value: number }[] = []
  readonly #columns: { at: number; column: Column; size: number }[] = []

  number(value: number): void {
    this.#numbers.push({ at: this.length, value })
    this.length += 8
  }

  column(column: Column, length: number): void {
    const size = length * column.BYTES_PER_ELEMENT
    this.number(size)
    this.#columns.push({ at: this.length, column, size })
    this.length += (size + 7) & ~7
  }

  /** Copies all of it, pausing after every piece. */
  *copy(to: Uint8Array, piece: number): Generator<void, void> {
    const view = new DataView(to.buffer, to.byteOffset, to.byteLength)
    for (const { at, value } of this.#numbers) view.setFloat64(at, value, true)
    let left = piece
    for (const { at, column, size } of this.#columns) {
      to.fill(0, at + size, at + ((size + 7) & ~7))
      for (let from = 0; from < size; ) {
        const count = Math.min(size - from, left)
        to.set(new Uint8Array(column.buffer, column.byteOffset + from, count), at + from)
        from += count
        left -= count
        if (left > 0) continue
        yield
        left = piece
      }
    }
  }
}

/** Reads the same back. */
class Reader {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  number(): number {
    return this.#view.getFloat64(this.#take(8), true)
  }

  /** A column of a table, as long as the table's used rows need, in powers of two like any other. */
  column(part: object, like: Column, assign: (column: Column) => void): void {
    if (!(part instanceof Columns) || like.length < INITIAL_ROWS) {
      this.fill(like)
      return
    }
    const width = like.length / INITIAL_ROWS
    let rows = INITIAL_ROWS
    while (rows < part.used) rows *= 2
    const column = new (like.constructor as new (length: number) => Column)(rows * width)
    this.fill(column)
    assign(column)
  }

  fill(column: Column): void {
    const size = this.number()
    if (!Number.isInteger(size) || size < 0 || size > column.byteLength) throw new DecodeError('a column of another length')
    const from = this.#take((size + 7) & ~7)
    new Uint8Array(column.buffer, column.byteOffset, size).set(this.#bytes.subarray(from, from + size))
  }

  end(): void {
    if (this.#at !== this.#bytes.length) throw new DecodeError('a snapshot longer than its parts')
  }

  #take(count: number): number {
    const from = this.#at
    if (from + count > this.#bytes.length) throw new DecodeError('a snapshot shorter than its parts')
    this.#at = from + count
    return from
  }
}
