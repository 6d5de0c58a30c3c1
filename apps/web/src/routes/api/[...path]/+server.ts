import { api } from '#lib/server/api.ts'
import type { RequestHandler } from './$types'

/** The platform's REST routes, for all methods; unknown routes and methods are refused by them. */
export const fallback: RequestHandler = ({ locals: { site, clientAddress }, request }) => api(site).fetch(request, { clientAddress })
