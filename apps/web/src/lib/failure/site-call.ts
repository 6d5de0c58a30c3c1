import { NoAnswerError, RefusedError } from '@augury/client/answer'
import type { CallInput } from '@augury/client/rest'
import type { Output } from '@augury/wire/operation'
import type { adminOperations } from '@augury/wire/platform/admin-operations'
import type { platformOperations } from '@augury/wire/platform/operations'
import type { platformPageQueries } from '@augury/wire/platform/page-queries'
import { siteNow, syncSiteClock } from '#lib/language/site-clock.ts'
import { page } from '$app/state'

type Table = typeof platformOperations & typeof platformPageQueries & typeof adminOperations
type Named<Name extends keyof Table> = Table[Name]
type Reads = { [Name in keyof Table]: Table[Name]['method'] extends 'GET' ? Name : never }[keyof Table]
/** Names of operations that change something. */
export type Changes = Exclude<keyof Table, Reads>

/** Milliseconds to wait for a response. */
const TIMEOUT_MS = 15_000

interface Envelope {
  result?: { data: unknown }
  error?: { message: string; data?: { refusal?: Readonly<Record<string, unknown>> | null; retryAfter?: number } }
}

/** Calls a read operation of this site, with the browser's session; `signal` aborts it. Throws a `RefusedError`, whose body has the request id, or a `NoAnswerError`. */
export const siteQuery = <Name extends Reads>(
  name: Name,
  input: CallInput<Named<Name>>,
  signal?: AbortSignal,
): Promise<Output<Named<Name>>> =>
  call(`${name}?input=${encodeURIComponent(JSON.stringify(input))}`, signal ? { signal } : {}) as Promise<Output<Named<Name>>>

/** Calls an operation that changes something. Throws as `siteQuery` does; after a `NoAnswerError` the outcome is unknown. */
export const siteMutation = <Name extends Changes>(name: Name, input: CallInput<Named<Name>>): Promise<Output<Named<Name>>> =>
  call(name, { method: 'POST', body: JSON.stringify(input) }) as Promise<Output<Named<Name>>>

/**
 * A call of `/trpc` as the member that the page was made for; it is refused if another tab has signed in another member. Responses are not checked
 * against schemas, which the browser does not load.
 */
async function call(path: string, init: RequestInit): Promise<unknown> {
  const { member } = page.data
  const headers = { 'content-type': 'application/json', ...(member && { 'x-member': member.address }) }
  const requestedAt = siteNow()
  let response: Response
  let answer: Envelope
  try {
    const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(init.signal ? [init.signal] : [])])
    response = await fetch(`/trpc/${path}`, { ...init, headers, signal })
    answer = await response.json()
  } catch (cause) {
    throw new NoAnswerError('this site did not answer', { cause })
  }
  syncSiteClock(Date.parse(response.headers.get('date') ?? ''), requestedAt)
  if (response.ok && answer.result) return answer.result.data
  const refusal = answer.error?.data?.refusal ?? { error: answer.error?.message }
  const requestId = response.headers.get('x-request-id') ?? undefined
  throw new RefusedError(response.status, { ...refusal, request_id: requestId }, answer.error?.data?.retryAfter)
}
