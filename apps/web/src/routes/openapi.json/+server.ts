import { platformOpenApi } from '@augury/wire/documents/platform'
import type { RequestHandler } from './$types'

/** The deployment's REST routes, described from the table that they are made from. */
export const GET: RequestHandler = ({ locals: { brand }, url }) =>
  Response.json(platformOpenApi({ url: url.origin, name: brand.name }), { headers: { 'cache-control': 'public, max-age=300' } })
