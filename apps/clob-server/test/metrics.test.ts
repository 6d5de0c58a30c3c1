import { query } from '@augury/testing/connection'
import { freePort } from '@augury/testing/free-port'
import { expect, test } from 'vitest'
import { Caller, send } from './caller.ts'
import { Listener } from './listener.ts'
import { funded } from './market.ts'
import { runningServer, wallets } from './running-server.ts'

const port = await freePort()
const running = await runningServer({ METRICS_PORT: String(port), LOG_LEVEL: 'fatal' })

/** The figures, by their names with labels. */
async function figures(): Promise<Map<string, number>> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]))
}

test('answers are counted by operation, status and code; rows, commits, positions and sockets are exported', async () => {
  const alice = await funded(running.url, wallets.alice, '10')
  await alice.call('DELETE', '/order', { orderId: '0xdeadbeef' })
  await send(running.url, 'GET', '/data/orders')
  const listener = await Listener.open(`${running.url.replace('http', 'ws')}/ws/market`)
  const found = await figures()
  expect(found.get('augury_answers_total{operation="faucet",status="200",code="none"}')).toBe(1)
  expect(found.get('augury_answers_total{operation="cancelOrder",status="404",code="order_not_found"}')).toBe(1)
  expect(found.get('augury_answers_total{operation="listOrders",status="401",code="bad_headers"}')).toBe(1)
  expect(found.get('augury_answer_seconds_count{operation="faucet"}')).toBe(1)
  expect(found.get('augury_row_commands_sum')).toBe(2)
  expect(found.get('augury_commit_seconds_count')).toBe(found.get('augury_row_commands_count'))
  expect(found.get('augury_position')).toBe(2)
  expect(found.get('augury_queue_commands')).toBe(0)
  expect(found.get('augury_writer{state="primary"}')).toBe(1)
  expect(found.get('augury_sockets{stream="market"}')).toBe(1)
  listener.kill()
})

test('metrics contain nothing that a caller sent or holds, and the service itself does not serve them', async () => {
  const alice = await Caller.of(running.url, wallets.alice)
  await alice.call('DELETE', '/order', { orderId: '0xdeadbeef' })
  await send(running.url, 'GET', '/canary-in-a-path?canary=1')
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const secrets = [alice.key.key, alice.key.secret, alice.key.passphrase, wallets.alice.address.toLowerCase(), wallets.alice.address]
  for (const canary of ['deadbeef', 'canary', ...secrets]) expect(text).not.toContain(canary)
  expect((await send(running.url, 'GET', '/metrics')).status).toBe(404)
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404)
})

test('a writer whose database is away does not count as one until it is back', { timeout: 30_000 }, async () => {
  const admin = new URL(running.settings.clobDatabaseUrl)
  const name = admin.pathname.slice(1)
  admin.pathname = '/postgres'
  const state = async (of: string) => (await figures()).get(`augury_writer{state="${of}"}`)
  await query(admin.href, `alter database "${name}" allow_connections false`)
  await query(admin.href, 'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
  await expect.poll(() => state('unavailable'), { timeout: 10_000 }).toBe(1)
  expect(await state('primary')).toBe(0)
  expect(await send(running.url, 'GET', '/readyz')).toMatchObject({ status: 503, body: { status: 'unavailable' } })
  await query(admin.href, `alter database "${name}" allow_connections true`)
  await expect.poll(() => state('primary'), { timeout: 15_000 }).toBe(1)
  expect(await state('unavailable')).toBe(0)
})
