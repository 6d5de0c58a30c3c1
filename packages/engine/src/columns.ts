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
 * A table kept as columns. Its typed arrays are its columns, its numbers are its registers, and together they are all it
 * remembers, so a snapshot is a copy of them. Row 0 is nobody's: 0 means "none" in every link. Arrays shorter than the
 * capacity have a fixed length of their own.
 */
export abstract class Columns {
  /** Rows ever used, row 0 included. */
  used = 1
  /** First row of the free list, linked through `next`. */
  free = 0
  /** The free list's link, and whatever chain a table keeps of its rows in use. */
  next = new Int32Array(INITIAL_ROWS)

  get capacity(): number {
    return this.next.length
  }

  /** A row to write to; its columns are as their last owner left them. */
  protected takeRow(): number {
    const row = this.free
    if (row === 0) {
      if (this.used === this.capacity) this.grow()
      return this.used++
    }
    this.free = this.next[row]!
    this.next[row] = 0
    return row
  }

  protected freeRow(row: number): void {
    this.next[row] = this.free
    this.free = row
  }

  /** Doubles every column and index. */
  grow(): void {
    const { capacity } = this
    for (const [name, value] of Object.entries(this)) {
      if (isColumn(value) && value.length >= capacity) Object.assign(this, { [name]: doubled(value) })
      else if (value instanceof KeyIndex) value.grow()
    }
  }
}
