/** JSON of values that never change, in parts. */
const known = new WeakMap<object, readonly Buffer[]>()
const [OPEN, COMMA, CLOSE] = [Buffer.from('['), Buffer.from(','), Buffer.from(']')] as const

/** The JSON of a value that never changes. Made once per object, because a cached list is both measured and sent. */
export function jsonBytes(value: unknown): Buffer<ArrayBuffer> {
  const parts = knownOf(value) ?? (Array.isArray(value) && value.some(knownOf) ? listOf(value) : [bytesOf(value)])
  const bytes = parts.length === 1 ? (parts[0] as Buffer<ArrayBuffer>) : Buffer.concat(parts)
  if (isObject(value)) known.set(value, [bytes])
  return bytes
}

/** The same value, which never changes, as a row of lists: its JSON is made once for all of them. */
export function asRow<Row extends object>(row: Row): Row {
  jsonBytes(row)
  return row
}

/** A row with one more field. Only the field is made into JSON. */
export function withField<Row extends object, Field extends object>(row: Row, field: Field): Row & Field {
  const whole = { ...row, ...field }
  known.set(whole, [jsonBytes(row).subarray(0, -1), COMMA, bytesOf(field).subarray(1)])
  return whole
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
const knownOf = (value: unknown): readonly Buffer[] | undefined => (isObject(value) ? known.get(value) : undefined)
const bytesOf = (value: unknown): Buffer<ArrayBuffer> => Buffer.from(JSON.stringify(value))

/** Rows that are known need not be put together first. */
const listOf = (rows: readonly unknown[]): readonly Buffer[] => [
  OPEN,
  ...rows.flatMap((row, n) => [...(n === 0 ? [] : [COMMA]), ...(knownOf(row) ?? [bytesOf(row)])]),
  CLOSE,
]
