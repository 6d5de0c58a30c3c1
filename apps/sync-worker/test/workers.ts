import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { type Child, startChild } from '@augury/testing/child-process'
import { freePort } from '@augury/testing/free-port'
import { onTestFinished } from 'vitest'

/** Answers a question of a worker, perhaps later. */
export type Answering = (path: string, body: unknown) => unknown

/** An exchange that lives in the test; its address. */
export async function exchangeThat(answers: Answering): Promise<string> {
  const server = createServer(async (request, response) => {
    const body = request.method === 'POST' ? await json(request) : undefined
    const answer = await answers(request.url!.split('?')[0]!, body)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A real worker, and what it tells of itself. */
export interface Worker {
  worker: Child
  // biome-ignore lint/suspicious/noExplicitAny: tests look into what is logged
  health(): Promise<readonly [number, any]>
  metrics(): Promise<string>
}

/** Starts a worker in a process of its own. */
export async function startWorker(databaseUrl: string, clobUrl: string): Promise<Worker> {
  const port = await freePort()
  const dataDir = await mkdtemp(join(tmpdir(), 'augury-worker-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const env = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, CLOB_URL: clobUrl, WORKER_PORT: String(port) }
  const worker = startChild(process.execPath, ['src/main.ts'], { cwd: join(import.meta.dirname, '..'), env })
  onTestFinished(() => void worker.stop('SIGKILL'))
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
  return {
    worker,
    async health() {
      const response = await get('/healthz')
      return [response.status, await response.json()] as const
    },
    metrics: async () => (await get('/metrics')).text(),
  }
}
