import { createServer, type Server } from 'node:http'
import type { Job } from '@augury/platform/sync/run-job'
import type { LastRun } from './schedule.ts'

/** Minutes, or three of its intervals if longer, without a successful run after which a job makes the worker ill. */
const ILL_AFTER_MINUTES = 15

/** What the health server reports. */
export interface Reported {
  jobs: readonly Job[]
  last: () => Record<string, LastRun | null>
  /** Milliseconds since a job last ran without failing. */
  sinceWell: (job: Job) => number
  /** Metrics for Prometheus; rejects while the database does not answer. */
  metrics: () => Promise<string>
}

/**
 * Serves `GET /healthz`: the last run of each job, with 503 once one has not succeeded for a while; and `GET /metrics`. The port is for
 * operators: no proxy should reach it. Resolves when listening.
 */
export async function serveHealth(port: number, host: string, { jobs, last, sinceWell, metrics }: Reported): Promise<Server> {
  function health(): [number, unknown] {
    const isIll = (job: Job) => sinceWell(job) > Math.max(ILL_AFTER_MINUTES * 60, 3 * (job.everySeconds ?? 0)) * 1000
    const ill = jobs.filter(isIll).map(({ name }) => name)
    return [ill.length ? 503 : 200, { status: ill.length ? 'ill' : 'ok', ill, jobs: last() }]
  }

  const server = createServer(async ({ method, url }, response) => {
    const path = method === 'GET' ? url : undefined
    const text = path === '/metrics' ? await metrics().catch(() => null) : null
    if (text !== null) {
      response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8', 'cache-control': 'no-store' }).end(text)
      return
    }
    const [status, body] =
      path === '/healthz'
        ? health()
        : path === '/metrics'
          ? [503, { error: 'The database does not answer.', code: 'service_unavailable' }]
          : [404, { error: 'Not found', code: 'not_found' }]
    response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  return server
}
