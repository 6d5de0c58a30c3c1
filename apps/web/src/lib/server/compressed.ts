import { Readable } from 'node:stream'
import { constants, createGzip } from 'node:zlib'

/** Smaller bodies are not compressed. Pages are larger, and their length is unknown while they are streamed. */
const KINDS = /^(text\/html|application\/json|application\/xml|application\/rss\+xml|image\/svg\+xml)/

/**
 * Compresses a page if the client accepts it. Flushes each chunk, so that later parts of a streamed page do not delay earlier ones. Pages have no
 * secrets beside text of others, so their compressed length reveals nothing (BREACH).
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

/** Whether an `Accept-Encoding` accepts gzip with a non-zero weight. Parsed in linear time. */
function takesGzip(acceptEncoding: string): boolean {
  return acceptEncoding.split(',').some((piece) => {
    const [coding = '', weight = ''] = piece.split(';').map((part) => part.trim().toLowerCase())
    return coding === 'gzip' && !/^q=0?(\.0*)?$/.test(weight)
  })
}
