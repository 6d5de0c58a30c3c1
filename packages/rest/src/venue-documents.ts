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

/** Serves a document, generated once, as it only changes with the program. */
function serve(app: HttpApp, path: string, make: () => object): void {
  let text: string | undefined
  app.get(path, (context) => {
    text ??= JSON.stringify(make())
    return context.body(text, 200, { ...commonHeaders(context.get('requestId')), 'Cache-Control': 'public, max-age=300' })
  })
}
