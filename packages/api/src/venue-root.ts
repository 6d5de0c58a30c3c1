import type { Call } from '@augury/venue/serve/access/gateway'
import type { Edge } from '@augury/venue/serve/edge'
import { callerFailure } from '@augury/venue/serve/operations/caller-failure'
import { type VenueOperationName, venueOperations } from '@augury/wire/operations/venue'
import { repeatedKey, repeatsKeyIn } from '@augury/wire/repeated-key'
import { ServiceError } from '@augury/wire/service-error'
import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import { limitOf } from './bounded-body.ts'
import { readParts } from './parts.ts'
import { type Carried, refusalHeaders, reportBug, rootOf, trpcError } from './trpc.ts'
import type { VenueSocket, venueStreams } from './venue-streams.ts'

/** Context of the order-book service's procedures: one request, authenticated like any other. */
export interface VenueCall {
  edge: Edge
  call: Call
}

/** The order-book service over tRPC, at `/trpc`. Signed by the same five headers, over `/trpc/<procedure>`; without batching. */
const venueRoot = rootOf<typeof venueOperations, VenueCall>(venueOperations, async (name, operation, { edge, call }, input) => {
  if (operation.sandbox && !edge.context.settings.sandbox) throw new ServiceError('not_found')
  try {
    if (repeatsKeyIn(call)) throw repeatedKey()
    const identity = await edge.gateway.admit(name as VenueOperationName, call)
    return await edge.run(name as VenueOperationName, identity, readParts(operation, input))
  } catch (error) {
    throw callerFailure(name as VenueOperationName, error)
  }
})

/** Type of the router for clients, with the subscriptions over a WebSocket at `/trpc`. */
export type VenueRoot = ReturnType<typeof rootOf<typeof venueOperations, VenueSocket, typeof venueStreams>>

const ENDPOINT = '/trpc'

/** The largest body, in bytes, of a request of `/trpc/<procedure>`: as much may be asked at once as over REST. */
export const bodyLimit = (path: string): number => limitOf(path.slice(ENDPOINT.length + 1), venueOperations)

/** Serves a request of `/trpc/<procedure>` whose body has been read, or is refused. */
export async function serveVenueRoot(
  edge: Edge,
  call: Call,
  url: string,
  onBug: (error: unknown) => void,
  refusal: ServiceError | null = null,
): Promise<Response> {
  const headers = { 'content-type': call.header('content-type') ?? 'application/json' }
  const body = call.body.length > 0 ? { body: new Uint8Array(call.body) } : {}
  return fetchRequestHandler({
    endpoint: ENDPOINT,
    router: venueRoot,
    req: new Request(url, { method: call.method, headers, ...body }),
    allowBatching: false,
    createContext(): Carried<VenueCall> {
      if (refusal) throw trpcError(refusal)
      return { carried: { edge, call } }
    },
    // The rest of a refused body is not read.
    responseMeta: ({ errors }) => ({
      headers: { ...call.answerHeaders, ...refusalHeaders(errors), ...(refusal && { Connection: 'close' }) },
    }),
    onError: ({ error }) => reportBug(error, onBug),
  })
}
