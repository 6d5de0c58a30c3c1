import { readLook } from '@augury/art/address'
import { drawArt } from '@augury/art/draw'
import type { RequestHandler } from './$types'

const HEADERS = {
  'content-type': 'image/svg+xml',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': 'public, max-age=31536000, immutable',
}

/** A drawn picture. Its name says all of it, so it never changes. */
export const GET: RequestHandler = ({ params }) => {
  const look = readLook(params.look)
  const svg = look && drawArt(params.name, look === 'wide')
  if (!svg) return new Response('There is no such picture.\n', { status: 404, headers: { 'cache-control': 'public, max-age=60' } })
  return new Response(svg, { headers: HEADERS })
}
