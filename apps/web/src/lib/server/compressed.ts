import { Readable } from 'node:stream'
import { constants, createGzip } from 'node:zlib'

/** Smaller bodies are not worth the work. Pages are larger, and their length is not known while they are written. */
const KINDS = /^(text\/html|application\/json|application\/xml|application\/rss\+xml|image\/svg\+xml)/

/**
 * Answers a page in fewer bytes to whoever can read them. What is written first leaves first: parts of a page that come later do not hold
 * it back. Nothing secret is in a page beside what a stranger can put there, so its length tells nobody anything.
 */
export function compressed(response: Response, acceptEncoding: string | null): Response {
  const kind = response.headers.get('content-type') ?? ''
  const wanted = /(^|,)\s*gzip\s*(;\s*q=(1|0\.\d*[1-9])\d*)?\s*(,|$)/.test(acceptEncoding ?? '')
  if (!wanted || response.body === null || !KINDS.test(kind) || response.headers.has('content-encoding')) return response
  const gzip = createGzip({ level: 5, flush: constants.Z_SYNC_FLUSH })
  const body = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0])
  body.on('error', (error) => gzip.destroy(error))
  const headers = new Headers(response.headers)
  headers.set('content-encoding', 'gzip')
  headers.delete('content-length')
  headers.append('vary', 'Accept-Encoding')
  return new Response(Readable.toWeb(body.pipe(gzip)) as ReadableStream, {
    status: response.status,
    statusText: response.statusText,
    headers,
  })
}
