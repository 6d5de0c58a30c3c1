import { api } from '#lib/server/api.ts'
import type { RequestHandler } from './$types'

/** The routes of admin, whatever the method: they answer for themselves what is not theirs. */
export const fallback: RequestHandler = ({ locals: { site, clientAddress }, request }) => api(site).fetch(request, { clientAddress })
