import type { IncomingMessage } from 'node:http'
import { chain, type MaybePromise } from '@augury/venue/base/maybe-promise'
import { type Call, signedHeaderNames } from '@augury/venue/serve/access/gateway'
import type { Identity } from '@augury/venue/serve/access/identity'
import type { Edge } from '@augury/venue/serve/edge'
import { callerFailure } from '@augury/venue/serve/operations/caller-failure'
import type { Operation, VenueOperation } from '@augury/wire/operation'
import { type VenueOperationName, venueOperations } from '@augury/wire/operations/venue'
import { ServiceError } from '@augury/wire/service-error'
import { type Answer, keptFor, readParts, refusal } from './answer.ts'
import { COMPAT, compatHeaders, compatName, compatOperations, compatRefusal, compatText } from './compat.ts'
import { isOfCatalogue } from './compat-catalogue.ts'
import type { OnAnswer, OnBug, RouteCall, Routes } from './http.ts'

const [MOMENT, NOT] = [keptFor(15), {}]
/** Returns the `Cache-Control` header of an operation: sums of the catalogue are as old as its answers may be. */
const cachingOf = (name: VenueOperationName, { cacheSeconds }: Operation): Record<string, string> =>
  cacheSeconds !== undefined ? keptFor(cacheSeconds) : isOfCatalogue(name) ? MOMENT : NOT

/** Bytes in the established dialect are files that clients save. */
const ZIP = { 'Content-Type': 'application/zip' }

/** Shared responses for shed requests, which should cost nothing. */
const fullFor = (name: VenueOperationName) =>
  refusal(callerFailure(name, new ServiceError('overloaded', { retryAfter: 1 })) as ServiceError, {})
const [full, fullForCancels] = [fullFor('placeOrder'), fullFor('cancelOrder')]

/** Input of `venueRoutes`. */
export interface VenueRoutes {
  edge: Edge
  /** Address of the client; the request is null if it did not arrive on a socket. */
  clientOf(incoming: IncomingMessage | null): string
  onBug: OnBug
  onAnswer?: OnAnswer
}

/** The order-book service over HTTP: every operation at its path, and below `/compat` in the established dialect. */
export function venueRoutes({ edge, clientOf, onBug, onAnswer }: VenueRoutes): Routes {
  const { sandbox } = edge.context.settings
  const operations = Object.fromEntries(
    Object.entries<VenueOperation>(venueOperations).filter(([, operation]) => sandbox || !operation.sandbox),
  )
  return {
    operations: { ...operations, ...compatOperations(operations) },
    answer: (name, operation, call) => {
      const compat = compatName(name)
      return compat === null
        ? answerOf(edge, name as VenueOperationName, operation, call, clientOf)
        : compatAnswerOf(edge, compat, operation, call, clientOf)
    },
    turnAway: (name, header) => {
      if (compatName(name) !== null || !edge.gateway.sheds(name as VenueOperationName, header)) return null
      return name === 'cancelOrder' ? fullForCancels : full
    },
    onBug,
    onAnswer,
    allowedHeaders: signedHeaderNames,
  }
}

function callOf({ method, path, query, body, header, incoming }: RouteCall, clientOf: VenueRoutes['clientOf']): Call {
  return { method, path, query, body, header, clientAddress: clientOf(incoming ?? null), answerHeaders: {} }
}

function answerOf(
  edge: Edge,
  name: VenueOperationName,
  operation: Operation,
  route: RouteCall,
  clientOf: VenueRoutes['clientOf'],
): Answer | Promise<Answer> {
  const call = callOf(route, clientOf)
  return answerWith(edge, name, cachingOf(name, operation), call.answerHeaders, () =>
    chain(
      edge.gateway.admit(name, call),
      (identity) => readyBooks(edge, name, route) ?? edge.text(name, identity, () => partsOf(operation, route)),
    ),
  )
}

/**
 * The answer to what `run` does for a caller, or its refusal: on every transport whose answers have a status. `answerHeaders` are those of the
 * identity, filled meanwhile. Throws and rejects with bugs alone.
 */
export function answerWith(
  edge: Edge,
  name: VenueOperationName,
  caching: Readonly<Record<string, string>>,
  answerHeaders: Call['answerHeaders'],
  run: () => MaybePromise<string | Buffer<ArrayBuffer>>,
): Answer | Promise<Answer> {
  const success = (body: Answer['body']): Answer => ({
    status: 200,
    headers: { ...caching, ...answerHeaders },
    body,
    ...(typeof body === 'string' ? {} : { onSent: () => edge.releaseBooks(body) }),
  })
  const refused = (error: unknown): Answer => {
    const failure = callerFailure(name, error)
    if (failure instanceof ServiceError) return refusal(failure, answerHeaders)
    throw failure
  }
  try {
    const body = run()
    return body instanceof Promise ? body.then(success, refused) : success(body)
  } catch (error) {
    return refused(error)
  }
}

/** The cached response to a common request for books; null if it has to be parsed and served. */
const readyBooks = (edge: Edge, name: VenueOperationName, { query, body, header }: RouteCall): Buffer<ArrayBuffer> | null =>
  name === 'getBooks' && query === '' && header('content-type') === 'application/json' ? edge.readyBooks(body) : null

/** Serves a call in the established dialect, whose clients sign paths with or without the mount. */
async function compatAnswerOf(
  edge: Edge,
  name: VenueOperationName,
  operation: Operation,
  route: RouteCall,
  clientOf: VenueRoutes['clientOf'],
): Promise<Answer> {
  const call = { ...callOf({ ...route, path: route.path.slice(COMPAT.length) }, clientOf), mount: COMPAT }
  let identity: Identity | null = null
  try {
    identity = await edge.gateway.admit(name, call)
    const isBatch = name === 'getLastTradesPrices' && route.body.length > 0 // some clients send a body with a GET
    const [asked, shape] = isBatch ? (['postLastTradesPrices', venueOperations.postLastTradesPrices] as const) : [name, operation]
    const body = await compatText(edge, asked, identity, partsOf(shape, route))
    const about = typeof body === 'string' ? (isOfCatalogue(name) ? MOMENT : NOT) : ZIP
    return { status: 200, headers: { ...about, ...compatHeaders(edge, identity, call.answerHeaders) }, body }
  } catch (error) {
    const failure = callerFailure(name, error)
    if (failure instanceof ServiceError) return compatRefusal(name, failure, compatHeaders(edge, identity, call.answerHeaders))
    throw failure
  }
}

const partsOf = (operation: Operation, { params, query, body, header }: RouteCall) =>
  readParts(operation, { params, query, body, contentType: header('content-type'), contentEncoding: header('content-encoding') })
