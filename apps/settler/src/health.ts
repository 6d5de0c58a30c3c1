import { createServer, type Server } from 'node:http'

/** What the health server reports. */
export interface Reported {
  /** How the settler stands. */
  health(): { status: 'ok' | 'halted' | 'ill' | 'draining' } & Record<string, unknown>
  metrics(): Promise<string>
}

/**
 * Serves `GET /healthz`, always with 200, for the process lives; `GET /readyz`, with 503 while rounds fail, payments are halted, or the settler stops; and `GET
 * /metrics`. The port is for operators: no proxy should reach it. Resolves when listening.
 */
export async function serveHealth(port: number, host: string, { health, metrics }: Reported): Promise<Server> {
  const server = createServer(async ({ method, url }, response) => {
    const path = method === 'GET' ? url : undefined
    if (path === '/metrics') {
      response
        .writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8', 'cache-control': 'no-store' })
        .end(await metrics())
      return
    }
    const isKnown = path === '/healthz' || path === '/readyz'
    const status = !isKnown ? 404 : path === '/healthz' || health().status === 'ok' ? 200 : 503
    const body = isKnown ? health() : { error: 'Not found', code: 'not_found' }
    response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  return server
}
