import { venueAsyncApi, venueOpenApi } from '@augury/wire/documents/venue'
import { CommonBodies } from './common-bodies.ts'
import { commonHeaders, type HttpApp } from './http.ts'

/** Input of the documents: the public base URL, and whether there is a faucet. */
export interface DocumentedVenue {
  url: string
  sandbox: boolean
}

/** Serves `/openapi.json` and `/asyncapi.json`, made from the table of operations. */
export function serveVenueDocuments(app: HttpApp, venue: DocumentedVenue): void {
  const bodies = new CommonBodies()
  serve(app, bodies, '/openapi.json', () => venueOpenApi(venue))
  serve(app, bodies, '/asyncapi.json', () => venueAsyncApi(venue))
}

/** Serves a document, made and written out once, as it only changes with the program: half a megabyte takes the event loop 2 ms. */
function serve(app: HttpApp, bodies: CommonBodies, path: string, make: () => object): void {
  let bytes: Buffer<ArrayBuffer> | undefined
  app.get(path, async (context) => {
    bytes ??= Buffer.from(JSON.stringify(make()))
    const { body, headers } = await bodies.of(bytes, context.req.header('accept-encoding'))
    const caching = { 'Cache-Control': 'public, max-age=300', Vary: 'Accept-Encoding' }
    return context.body(body, 200, { ...commonHeaders(context.get('requestId')), ...caching, ...headers })
  })
}
