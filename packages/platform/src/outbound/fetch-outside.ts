import { lookup as resolve } from 'node:dns'
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import { isGlobal, isLoopback } from './addresses.ts'

/** Default limits of an answer in milliseconds and bytes. */
const TIMEOUT_MS = 3000
const MAX_BYTES = 2 * 1024 * 1024

/** Where requests may go. */
export interface OutboundPolicy {
  /** Allowed hosts, as in a URL; `any`: every public one, at its usual port. */
  hosts: readonly string[] | 'any'
  /** Whether plain http and loopback addresses are allowed: for sandboxes and tests. */
  loopback?: boolean
}

/** A request to an external service. Only the headers named here are sent. */
export interface OutboundRequest {
  method?: 'GET' | 'POST'
  headers?: Readonly<Record<string, string>>
  body?: string
  timeoutMs?: number
  maxBytes?: number
  signal?: AbortSignal
}

/** The answer, whatever its status; never a redirect. */
export interface OutboundAnswer<Body = string> {
  status: number
  body: Body
}

/** Why a request failed; `forbidden` means that its URL or address is not allowed. */
export type OutboundFailure = 'forbidden' | 'network' | 'timeout' | 'too_large' | 'redirect'

/**
 * Requests something from an external service: https to allowed hosts at public addresses only. The name is resolved once, and the
 * connection goes to the address that was checked; redirects are not followed. Throws OutboundError, whose message has no part of the URL
 * but its host.
 */
export async function fetchOutside(address: string, policy: OutboundPolicy, request: OutboundRequest = {}): Promise<OutboundAnswer> {
  const { status, body } = await fetchBytes(address, policy, request)
  return { status, body: body.toString('utf8') }
}

/** The same, with the bytes of the answer. */
export async function fetchBytes(address: string, policy: OutboundPolicy, request: OutboundRequest = {}): Promise<OutboundAnswer<Buffer>> {
  const url = allowed(address, policy)
  const { method = 'GET', headers = {}, body, timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES } = request
  const timeout = AbortSignal.timeout(timeoutMs)
  const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout
  const options: RequestOptions = {
    method,
    headers: {
      Accept: 'application/json',
      'Accept-Encoding': 'identity',
      ...headers,
      ...(body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }),
    },
    agent: false,
    lookup: checkedLookup(policy.loopback === true),
    signal,
  }
  try {
    const answer = await new Promise<IncomingMessage>((answered, failed) => {
      const sent = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options, answered)
      sent.once('error', failed)
      sent.end(body)
    })
    const status = answer.statusCode ?? 0
    if (status >= 300 && status < 400) {
      answer.destroy()
      throw new OutboundError('redirect', `${url.host} sends elsewhere`)
    }
    return { status, body: await readBytes(answer, maxBytes, url.host) }
  } catch (error) {
    if (error instanceof OutboundError) throw error
    if (timeout.aborted) throw new OutboundError('timeout', `${url.host} did not answer within ${timeoutMs} ms`)
    throw new OutboundError('network', `${url.host}: ${error instanceof Error ? error.message : error}`)
  }
}

function allowed(address: string, { hosts, loopback = false }: OutboundPolicy): URL {
  const url = URL.parse(address)
  if (!url) throw new OutboundError('forbidden', 'not an address')
  const bare = url.hostname.replace(/^\[|\]$/g, '')
  if (url.protocol !== 'https:' && !(loopback && url.protocol === 'http:')) throw new OutboundError('forbidden', `${url.host}: only https`)
  if (url.username !== '' || url.password !== '') throw new OutboundError('forbidden', `${url.host}: a name or password in the address`)
  if (hosts === 'any' ? url.port !== '' && !loopback : !hosts.includes(url.host))
    throw new OutboundError('forbidden', `${url.host} is not one of the allowed hosts`)
  // A literal address is never looked up, so it is checked here.
  if (/^[\d.]+$|:/.test(bare) && !mayConnect(bare, loopback)) throw new OutboundError('forbidden', `${url.host} is not public`)
  return url
}

const mayConnect = (address: string, loopback: boolean) => isGlobal(address) || (loopback && isLoopback(address))

/** Resolves a name and refuses it when any of its addresses is not public. */
const checkedLookup =
  (loopback: boolean): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0)
      const [first] = addresses
      if (!first || !addresses.every(({ address }) => mayConnect(address, loopback)))
        return callback(new OutboundError('forbidden', `${hostname} is not public`), '', 0)
      if (options.all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }

async function readBytes(answer: IncomingMessage, maxBytes: number, host: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) throw new OutboundError('too_large', `${host} answered more than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** An external service gave no usable answer. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError'
  readonly kind: OutboundFailure
  constructor(kind: OutboundFailure, message: string) {
    super(message)
    this.kind = kind
  }
}
