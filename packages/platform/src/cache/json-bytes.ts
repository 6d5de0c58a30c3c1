const made = new WeakMap<object, Buffer<ArrayBuffer>>()

/** The JSON of a value that never changes. Serialised once per object, because a cached list is both measured and sent. */
export function jsonBytes(value: unknown): Buffer<ArrayBuffer> {
  const isObject = typeof value === 'object' && value !== null
  const known = isObject ? made.get(value) : undefined
  if (known) return known
  const bytes = Buffer.from(JSON.stringify(value))
  if (isObject) made.set(value, bytes)
  return bytes
}
