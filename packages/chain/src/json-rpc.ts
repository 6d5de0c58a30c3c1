import type { Hex } from 'viem'
import { NodeError } from './node-error.ts'
import type { Clock } from './ports.ts'

/** A JSON-RPC request: a method and its parameters. */
export type Request = readonly [method: string, params: readonly unknown[]]

/** Where requests go, and how long an answer may take and be. */
export interface Endpoint {
  url: string
  clock: Clock
  fetch: typeof fetch
  /** Milliseconds for a request, waits of retries included. */
  timeout?: number
  /** Bytes of an answer. */
  answerMax?: number
}

const TIMEOUT = 5000
/** A thousand deposits of one block are 0.8 MB of logs. */
const ANSWER_MAX = 4 << 20
/** Waits after 429, milliseconds. A longer `Retry-After` is honoured up to the last. */
const BACK_OFF = [250, 500, 1000, 2000]
const MESSAGE_MAX = 200
const BUSY = new Set([429, 502, 503, 504])
/** JSON-RPC code of providers for "limit exceeded". */
const LIMIT_EXCEEDED = -32005
/** JSON-RPC code of a reverted call. */
const REVERTED = 3

/**
 * Sends requests as one batch and returns their results in order. Waits and retries while the node answers 429; requests of this package may
 * be repeated. Throws `NodeError`.
 */
export async function askNode(endpoint: Endpoint, requests: readonly Request[]): Promise<unknown[]> {
  const { clock, timeout = TIMEOUT } = endpoint
  const over = new AbortController()
  const done = new AbortController()
  const late = clock.sleep(timeout, done.signal).then(() => over.abort())
  try {
    for (let tried = 0; ; tried++) {
      const { results, wait } = await attempt(endpoint, requests, over.signal)
      if (results) return results
      const pause = Math.min(Math.max(BACK_OFF[tried] ?? 0, wait), BACK_OFF.at(-1)!)
      if (tried < BACK_OFF.length) await clock.sleep(pause, over.signal)
      if (tried === BACK_OFF.length || over.signal.aborted) throw new NodeError('busy', 'the node asks for fewer requests')
    }
  } finally {
    done.abort()
    void late
  }
}

/** One HTTP exchange: the results, or for how long the node wants to be left alone, in milliseconds. */
async function attempt(
  endpoint: Endpoint,
  requests: readonly Request[],
  signal: AbortSignal,
): Promise<{ results?: unknown[]; wait: number }> {
  const calls = requests.map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params }))
  const response = await post(endpoint, JSON.stringify(calls.length === 1 ? calls[0] : calls), signal)
  if (BUSY.has(response.status)) return { wait: (Number(response.headers.get('retry-after')) || 0) * 1000 }
  const text = await bounded(response, endpoint.answerMax ?? ANSWER_MAX, signal)
  const answers = parsed(text, calls.length)
  if (answers.some(({ error }) => error?.code === LIMIT_EXCEEDED || error?.code === 429)) return { wait: 0 }
  return { results: answers.map(resultOf), wait: 0 }
}

async function post({ url, fetch }: Endpoint, body: string, signal: AbortSignal): Promise<Response> {
  try {
    // A node that sends us elsewhere would choose what is requested inside our own network.
    return await fetch(url, { method: 'POST', body, signal, redirect: 'error', headers: { 'content-type': 'application/json' } })
  } catch {
    throw new NodeError('silent', 'the node does not answer') // the cause may hold the URL, and the URL a key
  }
}

/** The text of an answer, counted as it arrives: an announced length is not believed. */
async function bounded(response: Response, most: number, signal: AbortSignal): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of response.body ?? []) {
      size += chunk.length
      if (size > most) break
      chunks.push(chunk)
    }
  } catch {
    throw new NodeError('silent', signal.aborted ? 'the node answers too slowly' : 'the node broke off its answer')
  }
  if (size > most) throw new NodeError('garbage', `the node answered more than ${most} bytes`)
  return new TextDecoder().decode(Buffer.concat(chunks))
}

interface Answer {
  result?: unknown
  error?: { code: number; message: string; data: unknown }
}

/** The answers of a batch by their ids, each exactly once. */
function parsed(text: string, count: number): Answer[] {
  const given = jsonOf(text)
  const list = Array.isArray(given) ? given : [given]
  // Some nodes answer a batch that they refuse whole with one error.
  if (count > 1 && list.length === 1 && list[0]?.error) return Array.from({ length: count }, () => answerOf(list[0]))
  const answers: Answer[] = []
  for (const one of list) {
    const id = one?.id
    if (!Number.isInteger(id) || id < 0 || id >= count || answers[id]) throw new NodeError('garbage', 'the node answered another request')
    answers[id] = answerOf(one)
  }
  if (list.length !== count) throw new NodeError('garbage', 'the node left requests unanswered')
  return answers
}

// biome-ignore lint/suspicious/noExplicitAny: what a node sent, before it is checked
function jsonOf(text: string): any {
  try {
    return JSON.parse(text)
  } catch {
    throw new NodeError('garbage', 'the node did not answer in JSON')
  }
}

// biome-ignore lint/suspicious/noExplicitAny: what a node sent, before it is checked
function answerOf(one: any): Answer {
  if (one?.error) {
    const { code, message, data } = one.error
    return { error: { code: Number(code), message: String(message).slice(0, MESSAGE_MAX), data } }
  }
  if (one?.result === undefined) throw new NodeError('garbage', 'the node answered neither a result nor an error')
  return { result: one.result }
}

function resultOf({ result, error }: Answer): unknown {
  if (!error) return result
  const isRevert = error.code === REVERTED || /revert/i.test(error.message)
  const data = typeof error.data === 'string' && /^0x([0-9a-f]{2})*$/i.test(error.data) ? (error.data.toLowerCase() as Hex) : null
  throw new NodeError(isRevert ? 'reverted' : 'refused', error.message, data)
}
