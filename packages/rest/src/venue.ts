import type { IncomingMessage } from 'node:http'
import type { Edge } from '@augury/venue/edge'
import { type Call, signedHeaderNames } from '@augury/venue/gateway'
import { OutcomeUnknown } from '@augury/venue/outcome-unknown'
import type { Operation } from '@augury/wire/operation'
import { type VenueOperationName, venueOperations } from '@augury/wire/operations/venue'
import { ServiceError } from '@augury/wire/service-error'
import { type Answer, readParts, refusal } from './answer.ts'
import { type HttpApp, httpApp, NoAnswer, type OnBug, type RouteCall } from './http.ts'

/** Lists that a shared cache may keep for a minute. */
const CACHED: ReadonlySet<string> = new Set([
  'listMarkets',
  'listSimplifiedMarkets',
  'listSamplingMarkets',
  'listSamplingSimplifiedMarkets',
])
const MINUTE = { 'Cache-Control': 'public, max-age=0, s-maxage=60, stale-while-revalidate=60' }

/** What the order-book service needs besides its edge. */
export interface VenueRoutes {
  edge: Edge
  /** Who is behind a request; null when it did not come over a socket. */
  clientOf(incoming: IncomingMessage | null): string
  onBug: OnBug
}

/** The order-book service over HTTP: every operation of the table at its path. */
export function venueApp({ edge, clientOf, onBug }: VenueRoutes): HttpApp {
  const { sandbox } = edge.context.settings
  const operations = Object.fromEntries(Object.entries<Operation>(venueOperations).filter(([, operation]) => sandbox || !operation.sandbox))
  return httpApp({
    operations,
    answer: (name, operation, call) => answerOf(edge, name as VenueOperationName, operation, call, clientOf),
    onBug,
    allowedHeaders: signedHeaderNames,
  })
}

async function answerOf(
  edge: Edge,
  name: VenueOperationName,
  operation: Operation,
  route: RouteCall,
  clientOf: VenueRoutes['clientOf'],
): Promise<Answer> {
  const { method, path, query, body, header, params } = route
  const clientAddress = clientOf(route.context.env?.incoming ?? null)
  const call: Call = { method, path, query, body, header, clientAddress, answerHeaders: {} }
  try {
    const identity = await edge.gateway.admit(name, call)
    const parts = readParts(operation, { params, query, body, contentType: header('content-type') })
    const text = await edge.text(name, identity, parts)
    return { status: 200, headers: CACHED.has(name) ? { ...MINUTE, ...call.answerHeaders } : call.answerHeaders, body: text }
  } catch (error) {
    if (error instanceof ServiceError) return refusal(error, call.answerHeaders)
    if (error instanceof OutcomeUnknown) throw new NoAnswer('the outcome is not known', { cause: error })
    throw error
  }
}
