import { readUpload } from '@augury/platform/admin/upload-image'
import { error } from '@sveltejs/kit'
import type { RequestHandler } from './$types'

/** An image that an admin uploaded. */
export const GET: RequestHandler = async ({ locals: { site }, params }) => {
  const found = await readUpload(site, params.name)
  if (!found) error(404, 'There is no such file.')
  return new Response(Uint8Array.from(found.bytes), { headers: found.headers })
}
