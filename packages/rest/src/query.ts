import { ServiceError } from '@augury/wire/service-error'

/** Most pairs in a query. A request's head has room for thousands, which would be expensive to parse. */
const PAIRS = 500

/**
 * Parses a query string to a plain object; a repeated key has an array. Throws `invalid_payload` if it has too many pairs, a key that could
 * pollute prototypes, or a NUL, unless the key is one of `anyText`.
 */
export function readQuery(query: string, anyText: readonly string[] = []): Record<string, string | string[]> {
  const values: Record<string, string | string[]> = {}
  let pairs = 0
  for (const [key, value] of new URLSearchParams(query)) {
    if (++pairs > PAIRS) throw refused('too many parameters')
    if (key === '__proto__' || key === 'constructor' || key === 'prototype') throw refused('forbidden key')
    if (value.includes('\0') && !anyText.includes(key)) throw refused('NUL in the query')
    const earlier = Object.hasOwn(values, key) ? values[key]! : undefined
    if (Array.isArray(earlier)) earlier.push(value)
    else values[key] = earlier === undefined ? value : [earlier, value]
  }
  return values
}

const refused = (why: string) => new ServiceError('invalid_payload', { text: `Invalid payload: ${why}` })
