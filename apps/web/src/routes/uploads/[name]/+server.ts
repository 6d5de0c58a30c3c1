import { artPath } from '@augury/art/address'
import { readUpload } from '@augury/platform/admin/upload-image'
import { error, redirect } from '@sveltejs/kit'
import type { RequestHandler } from './$types'

/** Shown where a page has an upload that the store lost. */
const LOST = artPath('g_9_1')

/** An image that an admin uploaded. */
export const GET: RequestHandler = async ({ locals: { site }, params, request }) => {
  const found = await readUpload(site, params.name)
  if (!found && request.headers.get('sec-fetch-dest') === 'image') redirect(307, LOST)
  if (!found) error(404, 'There is no such file.')
  return new Response(Uint8Array.from(found.bytes), { headers: found.headers })
}
