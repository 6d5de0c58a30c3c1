import { JSON_DEPTH } from '@augury/wire/limits'
import { parse } from '@augury/wire/parse'
import { type FrameId, frameId, tradeFrame } from '@augury/wire/trade-stream'
import type { Answer } from './answer.ts'
import { readJson } from './json.ts'

/** A frame of a client, whose body is not checked yet. */
export interface TradeFrame {
  id: FrameId
  op: string
  body?: unknown
}

const KEYS = new Set(['id', 'op', 'body'])

/** Reads a frame by the rules for the JSON of a request. Throws `invalid_json` or `invalid_payload`. */
export function readFrame(bytes: Uint8Array): TradeFrame {
  const value = readJson(bytes, JSON_DEPTH + 1)
  return isFrame(value) ? value : parse(tradeFrame, value)
}

/** The same test as the schema's, several times faster. */
function isFrame(value: unknown): value is TradeFrame {
  if (typeof value !== 'object' || value === null) return false
  const { id, op } = value as { id?: unknown; op?: unknown }
  const isId = typeof id === 'number' ? Number.isSafeInteger(id) && id >= 0 : typeof id === 'string' && id.length > 0 && id.length <= 64
  if (!isId || typeof op !== 'string' || op.length > 32) return false
  for (const key in value) if (!KEYS.has(key)) return false
  return true
}

/** The id of a frame that is refused as a whole; null when it has none that can be read. */
export function idIn(bytes: Buffer): FrameId | null {
  try {
    const { id } = JSON.parse(bytes.toString()) as { id?: unknown }
    return frameId.safeParse(id).data ?? null
  } catch {
    return null
  }
}

/** Headers of an answer that a frame tells. */
const TOLD = ['RateLimit', 'RateLimit-Policy', 'Retry-After', 'Idempotent-Replayed'] as const

/** The text of an answer as a frame. Its body is the text that REST would send. */
export function frameOf(id: FrameId | null, op: string | undefined, seq: number, { status, headers, body }: Answer): string {
  let told = ''
  for (const name of TOLD) {
    const value = headers[name]
    if (value !== undefined) told += `${told === '' ? '' : ','}"${name}":${JSON.stringify(value)}`
  }
  const named = op === undefined ? '' : `,"op":${JSON.stringify(op)}`
  return `{"id":${JSON.stringify(id)}${named},"status":${status},"seq":${seq},"headers":{${told}},"body":${body}}`
}
