/** Pairs that anybody asks with. A head of a request has room for thousands, which would be a way to make the program busy. */
const PAIRS = 500

/**
 * A query string as a plain object; a repeated key has an array. Null when it has too many pairs, when a key could reach behind the object,
 * or when a value holds the character that no text of a database can.
 */
export function readQuery(query: string): Record<string, string | string[]> | null {
  const values: Record<string, string | string[]> = {}
  let pairs = 0
  for (const [key, value] of new URLSearchParams(query)) {
    if (++pairs > PAIRS) return null
    if (key === '__proto__' || key === 'constructor' || key === 'prototype') return null
    if (value.includes('\0')) return null
    const earlier = Object.hasOwn(values, key) ? values[key]! : undefined
    if (Array.isArray(earlier)) earlier.push(value)
    else values[key] = earlier === undefined ? value : [earlier, value]
  }
  return values
}
