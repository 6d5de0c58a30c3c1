import { createServer, type Server } from 'node:http'
import type { Job } from '@augury/platform/jobs/run-job'
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
  /** Aborted when the worker is asked to stop. */
  going: AbortSignal
}

/**
 * Serves the last run of each job: at `GET /healthz` always with 200, for the process lives; at `GET /readyz` with 503 once a job has not
 * succeeded for a while, and while the worker stops. Also `GET /metrics`. The port is for operators: no proxy should reach it. Resolves
 * when listening.
 */
export async function serveHealth(port: number, host: string, { jobs, last, sinceWell, metrics, going }: Reported): Promise<Server> {
  const isIll = (job: Job) => sinceWell(job) > Math.max(ILL_AFTER_MINUTES * 60, 3 * (job.everySeconds ?? 0)) * 1000
  function health(): { status: 'ok' | 'ill' | 'draining'; ill: string[]; jobs: unknown } {
    const ill = jobs.filter(isIll).map(({ name }) => name)
    return { status: going.aborted ? 'draining' : ill.length > 0 ? 'ill' : 'ok', ill, jobs: last() }
  }
  function answerTo(path: string | undefined): [number, unknown] {
    if (path === '/healthz') return [200, health()]
    if (path === '/readyz') return [health().status === 'ok' ? 200 : 503, health()]
    if (path === '/metrics') return [503, { error: 'The database does not answer.', code: 'service_unavailable' }]
    return [404, { error: 'Not found', code: 'not_found' }]
  }

  const server = createServer(async ({ method, url }, response) => {
    const path = method === 'GET' ? url : undefined
    const text = path === '/metrics' ? await metrics().catch(() => null) : null
    if (text !== null) {
      response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8', 'cache-control': 'no-store' }).end(text)
      return
    }
    const [status, body] = answerTo(path)
    response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  return server
}
