import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { migrateClob } from '@augury/domain/clob/database'
import { startClobServerProcess } from '@augury/testing/clob-server-process'
import { conditionRequest } from '@augury/testing/condition-request'
import { durableDatabase } from '@augury/testing/database'
import { temporaryFolder } from '@augury/testing/temporary-folder'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { Caller, send } from './caller.ts'
import { fund } from './market.ts'
import { wallets } from './running-server.ts'

const databaseUrl = await durableDatabase('clob', migrateClob)
const dataDir = temporaryFolder('program')

const start = (more: { standby?: boolean; environment?: Record<string, string> } = {}) =>
  startClobServerProcess({ databaseUrl, operator: wallets.operator.address, dataDir, ...more })

test('no secret of anybody is in the log, and SIGTERM ends it cleanly', async () => {
  const server = await start()
  const { key } = await Caller.of(server.url, wallets.alice)
  const signature = (await (await Caller.with(server.url, key)).headers('GET', '/data/orders')).SVC_SIGNATURE!
  await send(server.url, 'GET', '/data/orders?__proto__=1', undefined, { SVC_SIGNATURE: signature, SVC_PASSPHRASE: key.passphrase })
  expect(await server.stop()).toBe(0)
  expect(server.output()).toContain('stopping')
  for (const secret of [key.secret, key.passphrase, signature])
    for (let at = 0; at + 6 <= 12; at++) expect(server.output()).not.toContain(secret.slice(at, at + 8))
})

test('what was compiled is kept, also by a program that will be killed', async () => {
  const cache = temporaryFolder('compiled')
  const server = await start({ environment: { NODE_COMPILE_CACHE: cache } })
  const kept = () => readdirSync(cache, { recursive: true }).length
  await expect.poll(kept, { timeout: 20_000 }).toBeGreaterThan(200)
  await server.stop('SIGKILL')
})

test('who goes away in the middle of a request is in no log', async () => {
  const server = await start()
  const { hostname, port } = new URL(server.url)
  for (const path of ['/books', '/trpc/getBooks']) {
    const socket = connect(Number(port), hostname)
    const closed = once(socket, 'close')
    socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{`, () => socket.destroy())
    await closed
    expect((await send(server.url, 'GET', '/time')).status).toBe(200)
  }
  expect(await server.stop()).toBe(0) // every connection has ended before
  expect(server.output()).toContain('stopping')
  expect(server.output()).not.toContain('"level":50')
})

test('a standby answers what is public as of a position, refuses what is signed, and is not ready until it writes', async () => {
  const primary = await start()
  const standby = await start({ standby: true })
  const operator = await Caller.of(primary.url, wallets.operator, 'venue')
  const { body } = await operator.call('POST', '/operator/conditions', conditionRequest('standing-by'))
  const token = body.tokens[0].token_id
  const onStandby = await Caller.with(standby.url, operator.key)

  // It learns of the market, and of its texts, from the row and what was stored before.
  await expect.poll(async () => (await send(standby.url, 'GET', `/book?token_id=${token}`)).status).toBe(200)
  const { seq } = (await send(primary.url, 'GET', '/status')).body
  await expect.poll(async () => (await send(standby.url, 'GET', '/status')).body.seq).toBe(seq)
  const book = await send(standby.url, 'GET', `/book?token_id=${token}`)
  expect(Number(book.headers.get('x-seq'))).toBe(seq)
  expect((await send(primary.url, 'GET', `/book?token_id=${token}`)).headers.get('x-seq')).toBe(null)
  expect((await send(standby.url, 'GET', `/markets/${body.condition_id}`)).body.question).toBe('Will there be standing-by?')
  expect((await send(standby.url, 'GET', '/status')).body).toMatchObject({ writer: 'standby', seq })

  const order = { tokenId: token, side: 'BUY', orderType: 'GTC', size: '5', price: '0.4' }
  for (const [method, target, value] of [
    ['GET', '/data/orders', undefined],
    ['POST', '/order', order],
    ['DELETE', '/cancel-all', undefined],
  ] as const)
    expect(await onStandby.call(method, target, value)).toMatchObject({ status: 503, body: { code: 'standby' } })
  expect(await send(standby.url, 'GET', '/readyz')).toMatchObject({ status: 503, body: { status: 'standby' } })
  await expect(Caller.of(standby.url, wallets.bob)).rejects.toThrow(/standby/)

  // A reader of the primary that has missed something finds it here, without a gap.
  await fund(primary.url, operator.key.address, '100')
  const before = await operator.call('POST', '/order', { ...order, clientOrderId: 'heard' })
  const listener = new WebSocket(`${primary.url.replace('http', 'ws')}/ws/market`)
  await once(listener, 'open')
  const first = once(listener, 'message')
  listener.send(JSON.stringify({ type: 'market', assets_ids: [token] }))
  await expect.poll(() => send(standby.url, 'GET', '/status').then((reply) => reply.body.seq)).toBe(before.body.seq)
  await first
  const missed: number[] = []
  for (const clientOrderId of ['missed', 'missed-too']) missed.push((await operator.place({ ...order, clientOrderId })).seq)
  await expect.poll(() => send(standby.url, 'GET', '/status').then((reply) => reply.body.seq)).toBe(missed[1])

  await primary.stop('SIGKILL')
  await expect.poll(async () => (await send(standby.url, 'GET', '/readyz')).status).toBe(200)
  expect((await onStandby.call('GET', '/data/orders')).status).toBe(200)
  expect((await send(standby.url, 'GET', `/book?token_id=${token}`)).headers.get('x-seq')).toBe(null)
  const reader = new WebSocket(`${standby.url.replace('http', 'ws')}/ws/market`)
  const heard: { event_type: string; seq: number; prev_seq: number }[] = []
  reader.on('message', (data) => heard.push(...[JSON.parse(data.toString())].flat().filter((each) => each.event_type !== 'heartbeat')))
  await once(reader, 'open')
  reader.send(JSON.stringify({ operation: 'resume', market: body.condition_id, seq: before.body.seq, epoch: 1 }))
  await expect.poll(() => heard.length).toBe(3)
  expect(heard.map(({ event_type, seq, prev_seq }) => [event_type, seq, prev_seq])).toEqual([
    ['subscribed', missed[1], undefined],
    ['price_change', missed[0], before.body.seq],
    ['price_change', missed[1], missed[0]],
  ])
  await standby.stop()
})

test('settings that make no sense are named', async () => {
  const wrong: ChildProcess = spawn(process.execPath, [join(import.meta.dirname, '../src/main.ts')], {
    env: { DATA_DIR: dataDir, CLOB_PORT: 'http', HOST: '0.0.0.0' },
  })
  let said = ''
  wrong.stderr!.on('data', (chunk) => (said += chunk))
  expect(await once(wrong, 'close')).toEqual([1, null])
  expect(said).toMatch(/CLOB_PORT must be a port number/)
  expect(said).toMatch(/HOST must be a loopback address/)
  expect(said).not.toMatch(/\n\s+at /)
})
