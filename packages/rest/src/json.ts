import { isDeeper } from '@augury/wire/json-depth'
import { JSON_DEPTH } from '@augury/wire/limits'
import { repeatedKey, repeatsKey } from '@augury/wire/repeated-key'
import { ServiceError } from '@augury/wire/service-error'
import { isWellFormedText } from '@augury/wire/text'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Keys that enable prototype pollution when an object is copied carelessly. */
const POISONED = new Set(['__proto__', 'constructor', 'prototype'])
/** Quick test for whether one of them may occur, escaped or not. */
const SUSPICIOUS = /proto|constructor|\\u/

/** Quick test for malformed text: as the bytes are UTF-8, it can only come from an escape. */
const ILL_FORMED = /\\u(?:0000|d[89a-f])/i

/**
 * Parses a JSON body; undefined for an empty one. Requires UTF-8, at most `depth` levels, no poisoned keys and only well-formed text.
 * Throws `invalid_json` or `invalid_payload`.
 */
export function readJson(bytes: Uint8Array, depth = JSON_DEPTH): unknown {
  if (bytes.length === 0) return undefined
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch (cause) {
    throw new ServiceError('invalid_json', { cause })
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new ServiceError('invalid_json', { cause })
  }
  if (repeatsKey(bytes, value)) throw repeatedKey()
  if (isDeeper(value, depth)) throw new ServiceError('invalid_json', { text: `JSON deeper than ${depth} levels` })
  if (SUSPICIOUS.test(text) && isPoisoned(value)) throw new ServiceError('invalid_payload', { text: 'Invalid payload: forbidden key' })
  if (ILL_FORMED.test(text) && !isWellFormedText(value)) throw new ServiceError('invalid_payload', { text: 'Invalid payload: not a text' })
  return value
}

function isPoisoned(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some(isPoisoned)
  return Object.entries(value).some(([key, inner]) => POISONED.has(key) || isPoisoned(inner))
}
