import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A received request. */
export interface Arrived {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: Buffer
}

/** A response; `drop` cuts the connection instead, and `mute` never answers. */
export type Reply = { status?: number; json: unknown; headers?: Record<string, string> } | 'drop' | 'mute'

/** A real HTTP server on loopback that records requests. */
export async function service(reply: (request: Arrived, count: number) => Reply | Promise<Reply>) {
  const arrived: Arrived[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      const seen = { method: request.method!, url: request.url!, headers: request.headers, body: Buffer.concat(chunks) }
      arrived.push(seen)
      const answer = await reply(seen, arrived.length)
      if (answer === 'drop') request.socket.destroy()
      if (typeof answer === 'string') return
      response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers })
      response.end(JSON.stringify(answer.json))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrived,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
