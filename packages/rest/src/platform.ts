import { jsonBytes } from '@augury/platform/cache/json-bytes'
import { type OnAccess, withAccessLog } from '@augury/platform/identity/access-log'
import { type Admission, admission } from '@augury/platform/identity/admission'
import { useCases } from '@augury/platform/operations'
import type { Site } from '@augury/platform/site/site'
import { type Operation, statusOf } from '@augury/wire/operation'
import { adminOperations } from '@augury/wire/platform/admin-operations'
import { failureText, inRouteWords, isAdminPath, platformStatuses } from '@augury/wire/platform/failure'
import { platformOperations } from '@augury/wire/platform/operations'
import { ServiceError } from '@augury/wire/service-error'
import { type Answer, keptFor, readParts, refusal, success } from './answer.ts'
import { CommonBodies } from './common-bodies.ts'
import { type HttpApp, httpApp, type OnBug, type RouteCall, type Routes } from './http.ts'

const operations = { ...platformOperations, ...adminOperations }
type Name = keyof typeof operations
type UseCase = (site: Site, viewer: unknown, input: unknown) => Promise<unknown>

/** Lists of bookmarks are personal and must not be cached, even when empty for a signed-out visitor. */
const isPersonal = (query: unknown): boolean => (query as { bookmarked?: unknown } | undefined)?.bookmarked === true

/** Input of `platformRoutes`. */
export interface PlatformRoutes {
  site: Site
  onBug: OnBug
  /** Called with every granted and refused access. */
  onAccess?: OnAccess
}

/** The deployment over HTTP. */
export const platformApp = (parts: PlatformRoutes): HttpApp => httpApp(platformRoutes(parts))

/** Every route of a deployment. Pages of other sites may not read the responses. */
export function platformRoutes({ site, onBug, onAccess = () => {} }: PlatformRoutes): Routes {
  const bodies = new CommonBodies()
  const answer = async (name: string, operation: Operation, call: RouteCall): Promise<Answer> => {
    const { method, header, clientAddress = '', requestId } = call
    const door = admission(site, { method, header, clientAddress, requestId })
    const response = await answerAt(door, name as Name, operation, call)
    return { ...response, headers: { ...variation(operation), ...response.headers, ...door.visit.answerHeaders() } }
  }

  async function answerAt(door: Admission, name: Name, operation: Operation, call: RouteCall): Promise<Answer> {
    try {
      let query: unknown
      const output = await withAccessLog(name, operation, door, onAccess, async () => {
        const viewer = await door.admit(operation)
        const parts = readParts(operation, {
          ...call,
          contentType: call.header('content-type'),
          contentEncoding: call.header('content-encoding'),
        })
        query = parts.query
        return (useCases[name] as UseCase)(site, viewer, parts)
      })
      if (operation.cacheSeconds !== undefined && door.member === null && !isPersonal(query)) {
        const { body, headers } = await bodies.of(jsonBytes(output), call.header('accept-encoding'))
        return { status: 200, body, headers: { ...headers, ...keptFor(operation.cacheSeconds), ...codedBy(operation) } }
      }
      return { ...success(output, {}), status: statusOf(operation, output) }
    } catch (error) {
      if (error instanceof ServiceError) return refused(operation, error)
      onBug(error, { requestId: call.requestId, operation: name })
      return refusal(new ServiceError('internal_error', { text: failureText(operation) }), {})
    }
  }

  return { operations, answer, onBug, allowedHeaders: null, refusalExtras }
}

/** The response with a refusal, in the status and words of its route. */
function refused(operation: Operation, error: ServiceError): Answer {
  const answer = refusal(inRouteWords(operation, error), {})
  return { ...answer, status: platformStatuses[error.code] ?? answer.status }
}

/** As specified, responses of admin routes say whether they succeeded. */
const refusalExtras = (path: string) => (isAdminPath(path) ? { success: false } : {})

/** The `Vary` header of a response that may be compressed. */
const codedBy = (operation: Operation): Record<string, string> => ({
  Vary: [variation(operation).Vary, 'Accept-Encoding'].filter(Boolean).join(', '),
})

/** Caching headers of routes that depend on the session: shared caches must not store them. Cacheable lists override this. */
const variation = ({ auth }: Operation): Record<string, string> =>
  auth === 'public' ? {} : { Vary: 'Cookie, Authorization', 'Cache-Control': 'private, no-store' }
