import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migratePlatform } from '@augury/domain/platform/database'
import { startChild } from '@augury/testing/child-process'
import { createDatabase } from '@augury/testing/database'
import { freePort } from '@augury/testing/free-port'
import { expect, onTestFinished, test, vi } from 'vitest'

/** An exchange that knows no market: it answers every question with an empty list. */
async function emptyExchange(): Promise<string> {
  const server = createServer((_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('[]'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function startWorker(databaseUrl: string) {
  const port = await freePort()
  const dataDir = await mkdtemp(join(tmpdir(), 'augury-worker-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const env = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, CLOB_URL: await emptyExchange(), WORKER_PORT: String(port) }
  const worker = startChild(process.execPath, ['src/main.ts'], { cwd: join(import.meta.dirname, '..'), env })
  onTestFinished(() => void worker.stop('SIGKILL'))
  const health = async () => {
    const response = await fetch(`http://127.0.0.1:${port}/healthz`)
    return [response.status, await response.json()] as const
  }
  const metrics = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  return { worker, health, metrics }
}

test('a worker runs every job at its start, tells how they went, and ends at SIGTERM', async () => {
  const databaseUrl = await createDatabase('worker')
  await migratePlatform(databaseUrl)
  const { worker, health, metrics } = await startWorker(databaseUrl)
  const done = { success: true, scanned: 0, errors: 0, errorDetails: [], timeLimitReached: false }
  await vi.waitFor(
    async () =>
      expect(await health()).toMatchObject([200, { status: 'ok', ill: [], jobs: { volume: { result: done }, prices: { result: done } } }]),
    { timeout: 20_000, interval: 100 },
  )
  const figures = await metrics()
  expect(figures).toMatch(/^augury_sync_runs_total\{job="prices",outcome="done"\} [1-9]/m)
  expect(figures).toMatch(/^augury_sync_lag_seconds\{job="prices"\} \d/m)
  expect(figures).toMatch(/^augury_sync_dead_letters\{job="prices"\} 0$/m)
  expect(await worker.stop()).toBe(0)
})

test('a worker without a database lives on and goes quietly', async () => {
  const { worker, health } = await startWorker('postgres://nobody@127.0.0.1:1/nothing')
  await vi.waitFor(async () => expect(await health()).toMatchObject([200, { jobs: { volume: null, prices: null } }]), {
    timeout: 20_000,
    interval: 100,
  })
  expect(await worker.stop()).toBe(0)
})
