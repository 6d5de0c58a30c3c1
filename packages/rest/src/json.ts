import { JSON_DEPTH } from '@augury/wire/limits'
import { ServiceError } from '@augury/wire/service-error'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Keys that reach behind an object when somebody copies it carelessly. */
const POISONED = new Set(['__proto__', 'constructor', 'prototype'])
/** Cheap sign that one of them may be there, escaped or not. */
const SUSPICIOUS = /proto|constructor|\\u/

/**
 * The value of a JSON body; undefined for an empty one. Strict UTF-8, at most 8 levels deep, no poisoned keys.
 * Throws `invalid_json` or `invalid_payload`.
 */
export function readJson(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return undefined
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch (cause) {
    throw new ServiceError('invalid_json', { cause })
  }
  if (depthOf(text) > JSON_DEPTH) throw new ServiceError('invalid_json', { text: `JSON deeper than ${JSON_DEPTH} levels` })
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new ServiceError('invalid_json', { cause })
  }
  if (SUSPICIOUS.test(text) && isPoisoned(value)) throw new ServiceError('invalid_payload', { text: 'Invalid payload: forbidden key' })
  return value
}

/** How deep arrays and objects nest, without parsing: brackets outside of strings. */
function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  let inText = false
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (inText) {
      if (char === 0x5c) at++
      else if (char === 0x22) inText = false
    } else if (char === 0x22) inText = true
    else if (char === 0x5b || char === 0x7b) deepest = Math.max(deepest, ++depth)
    else if (char === 0x5d || char === 0x7d) depth--
  }
  return deepest
}

function isPoisoned(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some(isPoisoned)
  return Object.entries(value).some(([key, inner]) => POISONED.has(key) || isPoisoned(inner))
}
