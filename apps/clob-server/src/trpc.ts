import type { IncomingMessage } from 'node:http'
import { bodyLimit, serveVenueRoot } from '@augury/api/venue-root'
import { readBody } from '@augury/rest/body'
import { bodyFailure, type HttpApp, NoAnswer } from '@augury/rest/http'
import type { Edge } from '@augury/venue/serve/edge'
import type { Logger } from 'pino'

/** Serves the operations over tRPC at `/trpc/<procedure>`. */
export function serveTrpc(app: HttpApp, edge: Edge, clientOf: (incoming: IncomingMessage | null) => string, log: Logger): void {
  app.all('/trpc/*', async (context) => {
    const incoming = context.env?.incoming
    const { pathname, search } = new URL(context.req.url)
    const { body, refusal } = await bodyOf(incoming ?? context.req.raw.body, pathname)
    const call = {
      method: context.req.method,
      path: pathname,
      query: search.slice(1),
      clientAddress: clientOf(incoming ?? null),
      answerHeaders: {},
      body,
      header: (name: string) => incoming?.headers[name]?.toString(),
    }
    const onBug = (error: unknown) => log.error({ err: error, requestId: context.get('requestId') }, 'a procedure failed')
    const reply = await serveVenueRoot(edge, call, context.req.url, onBug, refusal)
    const always = { 'X-Request-Id': context.get('requestId'), 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' }
    const headers = { ...Object.fromEntries(reply.headers), ...always }
    return context.newResponse(await reply.text(), reply.status as 200, headers)
  })
}

/** The body of a request, or why it is refused. Throws when the client went away. */
async function bodyOf(source: IncomingMessage | ReadableStream<Uint8Array> | null, path: string) {
  try {
    return { body: await readBody(source, bodyLimit(path)), refusal: null }
  } catch (error) {
    const failure = bodyFailure(error)
    if (failure instanceof NoAnswer) throw failure
    return { body: new Uint8Array(), refusal: failure }
  }
}
