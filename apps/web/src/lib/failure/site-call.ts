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
/** Operations that change something. */
export type Changes = Exclude<keyof Table, Reads>

/** Milliseconds to wait for an answer. */
const TIMEOUT_MS = 15_000

interface Answered {
  result?: { data: unknown }
  error?: { message: string; data?: { refusal?: Readonly<Record<string, unknown>> | null; retryAfter?: number } }
}

/** Asks this site something, as whoever is signed in. Throws a `RefusedError`, with the request's id in its body, or a `NoAnswerError`. */
export const ask = <Name extends Reads>(name: Name, input: CallInput<Named<Name>>): Promise<Output<Named<Name>>> =>
  call(`${name}?input=${encodeURIComponent(JSON.stringify(input))}`, {}) as Promise<Output<Named<Name>>>

/** Tells this site to do something, as whoever is signed in. Throws as `ask` does; without an answer nobody knows whether it was done. */
export const tell = <Name extends Changes>(name: Name, input: CallInput<Named<Name>>): Promise<Output<Named<Name>>> =>
  call(name, { method: 'POST', body: JSON.stringify(input) }) as Promise<Output<Named<Name>>>

/**
 * One call at `/trpc`, for the member whom the page shows and nobody else: another tab may have signed in somebody else. The server has checked
 * its answer: the browser does not carry the schemas to check it again.
 */
async function call(path: string, init: RequestInit): Promise<unknown> {
  const { member } = page.data
  const headers = { 'content-type': 'application/json', ...(member && { 'x-member': member.address }) }
  const asked = siteNow()
  let response: Response
  let answer: Answered
  try {
    response = await fetch(`/trpc/${path}`, { ...init, headers, signal: AbortSignal.timeout(TIMEOUT_MS) })
    answer = await response.json()
  } catch (cause) {
    throw new NoAnswerError('this site did not answer', { cause })
  }
  syncSiteClock(Date.parse(response.headers.get('date') ?? ''), asked)
  if (response.ok && answer.result) return answer.result.data
  const refusal = answer.error?.data?.refusal ?? { error: answer.error?.message }
  const requestId = response.headers.get('x-request-id') ?? undefined
  throw new RefusedError(response.status, { ...refusal, request_id: requestId }, answer.error?.data?.retryAfter)
}
