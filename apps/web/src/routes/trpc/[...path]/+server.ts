import { servePlatformRoot } from '@augury/api/platform-root'
import { log, logAccess } from '#lib/server/log.ts'
import type { RequestHandler } from './$types'

/** The same over tRPC, and what only our own pages ask. */
export const fallback: RequestHandler = ({ locals: { site, clientAddress, requestId }, request }) =>
  servePlatformRoot(
    site,
    request,
    { clientAddress, requestId },
    (error) => log.error({ requestId, error }, 'a procedure failed'),
    logAccess,
  )
