import { KeyIndex } from './key-index.ts'

/** Any array that can be a column. */
export type Column = Uint8Array | Uint16Array | Int32Array | Uint32Array | Float64Array

/** Rows a fresh table has room for. */
export const INITIAL_ROWS = 32

/** Whether a property of a table is a column. */
export const isColumn = (value: unknown): value is Column => ArrayBuffer.isView(value) && !(value instanceof DataView)

/** The same column with room for twice as much. */
export function doubled<T extends Column>(column: T): T {
  const larger = new (column.constructor as new (length: number) => T)(column.length * 2)
  larger.set(column as never)
  return larger
}

/**
 * A table stored as columns (struct of arrays). Its typed arrays are the columns and its number fields are registers; together
 * they are its whole state, so a snapshot is a copy of them. Row 0 is never used: 0 means "none" wherever a row is named.
 * Arrays shorter than the capacity have a fixed length of their own.
 */
export abstract class Columns {
  /** Rows ever used, row 0 included. */
  used = 1
  /** Rows there is room for. */
  abstract get capacity(): number

  /** Doubles every column and index. */
  grow(): void {
    const { capacity } = this
    for (const [name, value] of Object.entries(this)) {
      if (isColumn(value) && value.length >= capacity) Object.assign(this, { [name]: doubled(value) })
      else if (value instanceof KeyIndex) value.grow()
    }
  }
}

/** A table with a free list: freed rows are used again, the last freed first. */
export abstract class Table extends Columns {
  /** First row of the free list. */
  free = 0

  /** The free list's link of a row. It may share memory with any column that only rows in use need. */
  abstract next(row: number): number
  abstract setNext(row: number, to: number): void

  /** Allocates a row. Its columns still hold what the row's last use wrote. */
  takeRow(): number {
    const row = this.free
    if (row === 0) {
      if (this.used === this.capacity) this.grow()
      return this.used++
    }
    this.free = this.next(row)
    return row
  }

  /** Frees a row that nothing refers to any more. */
  freeRow(row: number): void {
    this.setNext(row, this.free)
    this.free = row
  }

  /** The rows in use. */
  rows(): number[] {
    const isFree = new Uint8Array(this.used)
    for (let row = this.free; row !== 0; row = this.next(row)) isFree[row] = 1
    const rows: number[] = []
    for (let row = 1; row < this.used; row++) if (isFree[row] === 0) rows.push(row)
    return rows
  }
}

/** A table with a column of links, for its free list and for whatever chain it keeps of its rows in use. */
export abstract class LinkedTable extends Table {
  links = new Int32Array(INITIAL_ROWS)

  get capacity(): number {
    return this.links.length
  }
  next(row: number): number {
    return this.links[row]!
  }
  setNext(row: number, to: number): void {
    this.links[row] = to
  }
}
