import { createServer, type Server } from 'node:http'
import { json } from 'node:stream/consumers'
import { webSettings } from '@augury/settings/env'

/** What a model proposes for a draft, by field, and why. */
export interface Proposal {
  fields: Readonly<Record<string, string>>
  reasons: Readonly<Record<string, string>>
}

/** A provider of models where the settings look for one. It proposes the same for every draft, and remembers by which keys it was asked. */
export async function playModel({ fields, reasons }: Proposal): Promise<{ keys: string[]; close(): Promise<void> }> {
  const keys: string[] = []
  const server: Server = createServer(async (request, response) => {
    keys.push(request.headers.authorization ?? '')
    if (request.method === 'POST') await json(request)
    const message = { content: JSON.stringify({ ...fields, reasons }) }
    const usage = { total_tokens: 900, cost: 0.002 }
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ model: 'some/model', choices: [{ message }], usage }))
  })
  const { hostname, port } = new URL(webSettings().openrouterUrl)
  await new Promise<void>((listening, failed) => {
    server.once('error', failed)
    server.listen(Number(port), hostname, listening)
  })
  return {
    keys,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}
