import { gzipSync } from 'node:zlib'
import { venueAsyncApi, venueOpenApi } from '@augury/wire/documents/venue'
import { commonHeaders, type HttpApp } from './http.ts'

/** Input of the documents: the public base URL, and whether there is a faucet. */
export interface DocumentedVenue {
  url: string
  sandbox: boolean
}

/** Serves `/openapi.json` and `/asyncapi.json`, made from the table of operations. */
export function serveVenueDocuments(app: HttpApp, venue: DocumentedVenue): void {
  serve(app, '/openapi.json', () => venueOpenApi(venue))
  serve(app, '/asyncapi.json', () => venueAsyncApi(venue))
}

/** Serves a document, made and packed once, as it only changes with the program: to write out half a megabyte takes the event loop 2 ms. */
function serve(app: HttpApp, path: string, make: () => object): void {
  let packed: Uint8Array<ArrayBuffer> | undefined
  let plain: Uint8Array<ArrayBuffer> | undefined
  app.get(path, (context) => {
    plain ??= new TextEncoder().encode(JSON.stringify(make()))
    packed ??= new Uint8Array(gzipSync(plain))
    const headers = { ...commonHeaders(context.get('requestId')), 'Cache-Control': 'public, max-age=300', Vary: 'Accept-Encoding' }
    const isPacked = /\bgzip\b/.test(context.req.header('accept-encoding') ?? '')
    return context.body(isPacked ? packed : plain, 200, isPacked ? { ...headers, 'Content-Encoding': 'gzip' } : headers)
  })
}
