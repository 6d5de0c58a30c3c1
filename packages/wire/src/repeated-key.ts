import { ServiceError } from './service-error.ts'

const [QUOTE, BACKSLASH, COLON] = [...'"\\:'].map((letter) => letter.charCodeAt(0))

/** Whether an object of a parsed body had a key twice: of the two values, programs along the way may have read the other one. */
export const repeatsKey = (bytes: Uint8Array, value: unknown): boolean => colonsOf(bytes) !== keysOf(value)

/** Colons outside of texts: one for each key that was written. */
function colonsOf(bytes: Uint8Array): number {
  let colons = 0
  let isInText = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) isInText = !isInText
    else if (isInText) at += byte === BACKSLASH ? 1 : 0
    else if (byte === COLON) colons++
  }
  return colons
}

/** Keys of all objects in a value. Keeps a list of its own, as a body may nest deeper than calls may. */
function keysOf(value: unknown): number {
  const waiting = [value]
  let keys = 0
  while (waiting.length > 0) {
    const one = waiting.pop()
    if (typeof one !== 'object' || one === null) continue
    const inner = Object.values(one)
    if (!Array.isArray(one)) keys += inner.length
    for (const each of inner) if (typeof each === 'object' && each !== null) waiting.push(each)
  }
  return keys
}

/** Returns the refusal of such a body. */
export const repeatedKey = (): ServiceError => new ServiceError('invalid_payload', { text: 'Invalid payload: the same key twice' })

/** Whether a text of JSON, or its bytes, has a key twice in one of its objects. False for what is not JSON. */
export function hasRepeatedKey(json: string | Uint8Array): boolean {
  const bytes = Buffer.from(json as string)
  try {
    return repeatsKey(bytes, JSON.parse(bytes.toString()))
  } catch {
    return false
  }
}

/** Whether a tRPC request has a key twice in one object of its JSON: its body, or the `input` of its query. */
export function repeatsKeyIn({ query, body }: { query: string; body: string | Uint8Array }): boolean {
  const input = query.includes('input') ? new URLSearchParams(query).getAll('input') : []
  return (body.length > 0 && hasRepeatedKey(body)) || input.some(hasRepeatedKey)
}
