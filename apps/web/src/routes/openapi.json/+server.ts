import { platformOpenApi } from '@augury/wire/documents/platform'
import type { RequestHandler } from './$types'

/** OpenAPI document of the deployment's REST routes. */
export const GET: RequestHandler = ({ locals: { brand }, url }) =>
  Response.json(platformOpenApi({ url: url.origin, name: brand.name }), { headers: { 'cache-control': 'public, max-age=300' } })
