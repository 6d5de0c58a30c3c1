import { once } from 'node:events'
import { createServer } from 'node:http'

/** Serves `GET /metrics` on a port of its own, which no proxy in front of the service reaches. Returns a function that stops it. */
export async function serveMetrics({ text }: { text(): Promise<string> }, port: number, host: string): Promise<() => Promise<void>> {
  const server = createServer(async (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    response.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8', 'Cache-Control': 'no-store' }).end(await text())
  })
  server.listen(port, host)
  await once(server, 'listening')
  return async () => {
    server.close()
    server.closeAllConnections()
  }
}
