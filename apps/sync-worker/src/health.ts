import { createServer, type Server } from 'node:http'
import type { LastRun } from './schedule.ts'

/** Minutes without a run that ended well after which the worker counts as ill. */
const ILL_AFTER_MINUTES = 15

/** Serves `GET /healthz`: how each job went, and 503 once one has not gone well for a while. Listens on return. */
export async function serveHealth(port: number, host: string, last: () => Record<string, LastRun | null>): Promise<Server> {
  const begun = Date.now()
  const wellAt: Record<string, number> = {}
  const server = createServer((request, response) => {
    const jobs = last()
    for (const [name, run] of Object.entries(jobs)) if (run && !('error' in run.result)) wellAt[name] = new Date(run.at).getTime()
    const ill = Object.keys(jobs).filter((name) => Date.now() - (wellAt[name] ?? begun) > ILL_AFTER_MINUTES * 60_000)
    const found = request.method === 'GET' && request.url === '/healthz'
    const [status, body] = found
      ? [ill.length ? 503 : 200, { status: ill.length ? 'ill' : 'ok', ill, jobs }]
      : [404, { error: 'Not found', code: 'not_found' }]
    response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  return server
}
