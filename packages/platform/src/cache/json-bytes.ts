/** JSON of values that never change, in parts. */
const known = new WeakMap<object, readonly Buffer[]>()
const [OPEN, COMMA, CLOSE] = [Buffer.from('['), Buffer.from(','), Buffer.from(']')] as const

/** The JSON of a value that never changes. Made once per object, because a cached list is both measured and sent. */
export function jsonBytes(value: unknown): Buffer<ArrayBuffer> {
  const parts = Array.isArray(value) && !known.has(value) ? listOf(value) : partsOf(value)
  const bytes = parts.length === 1 ? (parts[0] as Buffer<ArrayBuffer>) : Buffer.concat(parts)
  if (typeof value === 'object' && value !== null) known.set(value, [bytes])
  return bytes
}

/** The same value, which never changes, as a row of lists: its JSON is made once for all of them. */
export function asRow<Row extends object>(row: Row): Row {
  known.set(row, partsOf(row))
  return row
}

/** A row with one more field. Only the field is made into JSON. */
export function withField<Row extends object, Field extends object>(row: Row, field: Field): Row & Field {
  const whole = { ...row, ...field }
  const bytes = jsonBytes(row)
  known.set(whole, [bytes.subarray(0, -1), COMMA, bytesOf(field).subarray(1)])
  return whole
}

const bytesOf = (value: unknown): Buffer<ArrayBuffer> => Buffer.from(JSON.stringify(value))

const partsOf = (value: unknown): readonly Buffer[] => (typeof value === 'object' && value !== null && known.get(value)) || [bytesOf(value)]

function listOf(rows: readonly unknown[]): readonly Buffer[] {
  if (!rows.some((row) => typeof row === 'object' && row !== null && known.has(row))) return [bytesOf(rows)]
  return [OPEN, ...rows.flatMap((row, n) => [...(n === 0 ? [] : [COMMA]), ...partsOf(row)]), CLOSE]
}
