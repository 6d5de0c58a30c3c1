import { servePlatformRoot } from '@augury/api/platform-root'
import { log, logAccess } from '#lib/server/log.ts'
import type { RequestHandler } from './$types'

/** The deployment over tRPC, including the queries of our own pages. */
export const fallback: RequestHandler = ({ locals: { site, clientAddress, requestId }, request }) =>
  servePlatformRoot(
    site,
    request,
    { clientAddress, requestId },
    (error) => log.error({ requestId, error }, 'a procedure failed'),
    logAccess,
  )
