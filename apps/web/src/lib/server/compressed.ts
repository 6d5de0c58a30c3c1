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
  if (!takesGzip(acceptEncoding ?? '') || response.body === null || !KINDS.test(kind) || response.headers.has('content-encoding'))
    return response
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

/** Whether an `Accept-Encoding` names gzip, with any weight but none. It is read piece by piece, in no more time than it has letters. */
function takesGzip(acceptEncoding: string): boolean {
  return acceptEncoding.split(',').some((piece) => {
    const [coding = '', weight = ''] = piece.split(';').map((part) => part.trim().toLowerCase())
    return coding === 'gzip' && !/^q=0?(\.0*)?$/.test(weight)
  })
}
