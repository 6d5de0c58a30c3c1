import type { Member } from '@augury/platform/authorization/viewer'
import type { Arrival } from '@augury/platform/authorization/visit'
import { type OnAccess, withAccessLog } from '@augury/platform/identity/access-log'
import { type Admission, admission } from '@augury/platform/identity/admission'
import { memberEvents } from '@augury/platform/inbox/member-events'
import { newsOf } from '@augury/platform/inbox/news'
import { deploymentOperations, useCases } from '@augury/platform/operations'
import type { Site } from '@augury/platform/site/site'
import { parse } from '@augury/wire/parse'
import { platformSubscriptions } from '@augury/wire/platform/subscriptions'
import { repeatedKey, repeatsKeyIn } from '@augury/wire/repeated-key'
import { ServiceError } from '@augury/wire/service-error'
import { resumeIdOf, resumePointOf } from '@augury/wire/subscriptions'
import { type TrackedEnvelope, tracked } from '@trpc/server'
import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import { bounded } from './bounded-body.ts'
import { readParts } from './parts.ts'
import { type Carried, refusalHeaders, reportBug, rootOf, trpcError } from './trpc.ts'

/** Context of a deployment's procedures: its site, and the admission of the request. */
export interface PlatformCall {
  site: Site
  door: Admission
  /** Called with every granted and refused access. */
  onAccess: OnAccess
  /** A new admission of the same request, to check the session again while a stream runs. */
  again(): Admission
}

type UseCase = (site: Site, viewer: unknown, input: unknown) => Promise<unknown>

/** A deployment over tRPC, at `/trpc`: the routes of its contract and the queries of its pages. */
export const platformRoot = rootOf<typeof deploymentOperations, PlatformCall>(
  deploymentOperations,
  (name, operation, { site, door, onAccess }, input) =>
    withAccessLog(name, operation, door, onAccess, async () => {
      const viewer = await door.admit(operation)
      return (useCases[name as keyof typeof deploymentOperations] as UseCase)(site, viewer, readParts(operation, input))
    }),
  {
    /** The member's notifications as they occur, complete after `lastEventId`. Ends with the session. */
    async onNotification(call: PlatformCall, signal: AbortSignal, input?: { lastEventId?: string }) {
      const { member, stillThere } = await stayingMember(call)
      const { lastEventId } = parse(platformSubscriptions.onNotification.input, input ?? {})
      return trackedStream(member, newsOf(call.site, member, { stillThere, signal, lastEventId }), newest(lastEventId))
    },
    /** The member's orders and trades as they occur, grouped by command, complete after `lastEventId`. Ends with the session. */
    async onOrders(call: PlatformCall, signal: AbortSignal, input?: { lastEventId?: string }) {
      const { member, stillThere } = await stayingMember(call)
      const { lastEventId } = parse(platformSubscriptions.onOrders.input, input ?? {})
      const from = lastEventId === undefined ? null : resumePointOf(lastEventId)
      return trackedStream(member, memberEvents(call.site, member, { stillThere, signal, from }), ([{ epoch, seq: position }]) =>
        resumeIdOf({ epoch, position }),
      )
    },
  },
)

/** Event ids of notifications: after one that was committed late, a client still resumes from the newest that it has. */
function newest(id = ''): (notification: { id: string }) => string {
  let last = id
  return (notification) => {
    if (notification.id > last) last = notification.id
    return last
  }
}

/** Authenticates the member of a stream; `stillThere` reads the session again. */
async function stayingMember({ door, again }: PlatformCall): Promise<{ member: Member; stillThere: () => Promise<boolean> }> {
  const member = await door.admit({ auth: 'member' })
  if (member.kind !== 'member') throw new ServiceError('unauthenticated')
  const stillThere = async () => {
    const viewer = await again().look()
    return viewer.kind === 'member' && viewer.session === member.session
  }
  return { member, stillThere }
}

/** Open streams a member may have per process, on all devices together. */
const STREAMS = 20
/** Number of open streams, by member. */
const openStreams = new Map<string, number>()

/** Adds ids to values, from which a client can resume. Throws `rate_limited` when the member has too many streams open. */
async function* trackedStream<Value>(
  { id: member }: Member,
  values: AsyncIterable<Value>,
  idOf: (value: Value) => string,
): AsyncGenerator<TrackedEnvelope<Value>, void, void> {
  const others = openStreams.get(member) ?? 0
  if (others >= STREAMS) throw new ServiceError('rate_limited', { retryAfter: 10 })
  openStreams.set(member, others + 1)
  try {
    for await (const value of values) yield tracked(idOf(value), value)
  } finally {
    const left = openStreams.get(member)! - 1
    if (left > 0) openStreams.set(member, left)
    else openStreams.delete(member)
  }
}

/** Most calls in one request. */
const BATCH = 20

const ENDPOINT = '/trpc'

/** Serves one request below `/trpc`. */
export async function servePlatformRoot(
  site: Site,
  request: Request,
  { clientAddress, requestId }: Pick<Arrival, 'clientAddress' | 'requestId'>,
  onBug: (error: unknown) => void,
  onAccess: OnAccess = () => {},
): Promise<Response> {
  const arrival: Arrival = { method: request.method, header: (name) => request.headers.get(name) ?? undefined, clientAddress, requestId }
  const door = admission(site, arrival)
  const { request: req, body, refusal } = await bounded(request, ENDPOINT, deploymentOperations)
  const malformed = refusal ?? (repeatsKeyIn({ query: new URL(req.url).search, body }) ? repeatedKey() : null)
  const response = await fetchRequestHandler({
    endpoint: ENDPOINT,
    router: platformRoot,
    req,
    maxBatchSize: BATCH,
    createContext(): Carried<PlatformCall> {
      if (malformed) throw trpcError(malformed)
      return { carried: { site, door, onAccess, again: () => admission(site, arrival) } }
    },
    responseMeta: ({ errors }) => ({ headers: refusalHeaders(errors) }),
    onError: ({ error }) => reportBug(error, onBug),
  })
  for (const [name, value] of Object.entries(door.visit.answerHeaders())) {
    for (const each of [value].flat()) response.headers.append(name, each)
  }
  response.headers.append('Vary', 'Cookie, Authorization')
  if (refusal) response.headers.set('Connection', 'close') // the rest of the body is not read
  // Streams set it themselves.
  if (!response.headers.has('Cache-Control')) response.headers.set('Cache-Control', 'private, no-store')
  return response
}
