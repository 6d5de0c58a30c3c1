/**
 * A query string as a plain object; a repeated key has an array. Null when a key could reach behind the object, or when a value holds the
 * character that no text of a database can.
 */
export function readQuery(query: string): Record<string, string | string[]> | null {
  const values: Record<string, string | string[]> = {}
  for (const [key, value] of new URLSearchParams(query)) {
    if (key === '__proto__' || key === 'constructor' || key === 'prototype') return null
    if (value.includes('\0')) return null
    const earlier = Object.hasOwn(values, key) ? values[key]! : undefined
    values[key] = earlier === undefined ? value : [...(Array.isArray(earlier) ? earlier : [earlier]), value]
  }
  return values
}
