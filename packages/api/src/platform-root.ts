import { type Admission, admission } from '@augury/platform/identity/admission'
import type { Arrival } from '@augury/platform/identity/visit'
import { newsOf } from '@augury/platform/notifications/news'
import { deploymentOperations, useCases } from '@augury/platform/operations'
import type { Site } from '@augury/platform/site'
import { ServiceError } from '@augury/wire/service-error'
import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import { readParts } from './parts.ts'
import { type Carried, rootOf } from './trpc.ts'

/** What procedures of a deployment run with: its site, and the door that the request came through. */
export interface PlatformCall {
  site: Site
  door: Admission
  /** Another look at who calls, for what goes on after the first. */
  again(): Admission
}

type UseCase = (site: Site, viewer: unknown, input: unknown) => Promise<unknown>

/** A deployment over tRPC, at `/trpc`: the routes of its contract and what its own pages ask. */
export const platformRoot = rootOf<typeof deploymentOperations, PlatformCall>(
  deploymentOperations,
  async (name, operation, { site, door }, input) => {
    const viewer = await door.admit(operation)
    return (useCases[name as keyof typeof deploymentOperations] as UseCase)(site, viewer, readParts(operation, input))
  },
  {
    /** What the member is told, as it happens. Ends with the session. */
    async onNotification({ site, door, again }: PlatformCall, signal: AbortSignal) {
      const member = await door.admit({ auth: 'member' })
      if (member.kind !== 'member') throw new ServiceError('unauthenticated')
      const stillThere = async () => {
        const viewer = await again().look()
        return viewer.kind === 'member' && viewer.session === member.session
      }
      return newsOf(site, member, stillThere, signal)
    },
  },
)

/** Its type, for clients. */
export type PlatformRoot = typeof platformRoot

/** Calls that one request may carry. */
const BATCH = 20

/** Serves one request below `/trpc`. */
export async function servePlatformRoot(
  site: Site,
  request: Request,
  clientAddress: string,
  onBug: (error: unknown) => void,
): Promise<Response> {
  const arrival: Arrival = { method: request.method, header: (name) => request.headers.get(name) ?? undefined, clientAddress }
  const door = admission(site, arrival)
  const response = await fetchRequestHandler({
    endpoint: '/trpc',
    router: platformRoot,
    req: request,
    maxBatchSize: BATCH,
    createContext: (): Carried<PlatformCall> => ({ carried: { site, door, again: () => admission(site, arrival) } }),
    onError: ({ error }) => {
      if (error.code === 'INTERNAL_SERVER_ERROR' && !(error.cause instanceof ServiceError)) onBug(error.cause ?? error)
    },
  })
  for (const [name, value] of Object.entries(door.visit.answerHeaders())) {
    for (const each of [value].flat()) response.headers.append(name, each)
  }
  response.headers.append('Vary', 'Cookie, Authorization')
  return response
}
