import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openWriterRelay } from '../src/writer-relay.ts'

/** A program of an exchange that says its name to everybody, and at `/readyz` whether it writes. */
async function program(name: string, writes: boolean) {
  const self = { url: '', writes, stop: () => server.close().closeAllConnections() }
  const server = createServer(({ url }, response) => response.writeHead(url === '/readyz' && !self.writes ? 503 : 200).end(name))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(self.stop)
  self.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return self
}

async function relayTo(...programs: { url: string }[]) {
  const relay = await openWriterRelay(programs.map(({ url }) => url) as [string])
  onTestFinished(relay.close)
  const ask = async (path = '/', body?: string) =>
    (await fetch(relay.url + path, body === undefined ? {} : { method: 'POST', body })).text()
  return { ...relay, ask }
}

test('who writes is asked, and who writes after it', async () => {
  const [first, second] = [await program('first', true), await program('second', false)]
  const { ask } = await relayTo(first, second)
  expect(await ask()).toBe('first')
  first.writes = false
  expect(await ask()).toBe('first') // no writer: the last one still answers public reads
  second.writes = true
  await expect.poll(() => ask()).toBe('second')
  first.stop()
  second.writes = false
  expect(await ask('/', 'x'.repeat(1_000_000))).toBe('second')
})

test('a change of the writer closes connections', async () => {
  const [first, second] = [await program('first', true), await program('second', false)]
  const { url } = await relayTo(first, second)
  const held = connect(Number(new URL(url).port), '127.0.0.1')
  const closed = once(held, 'close')
  held.on('error', () => {}).write('GET / HTTP/1.1\r\nHost: exchange\r\n\r\n')
  expect(String((await once(held, 'data'))[0])).toContain('first')
  first.writes = false
  second.writes = true
  await closed
})

test('a program that is gone refuses, and an address that is closed too', async () => {
  const first = await program('first', true)
  const { ask, close } = await relayTo(first)
  first.stop()
  await expect(ask()).rejects.toThrow('fetch failed')
  await close()
  await expect(ask()).rejects.toThrow('fetch failed')
})
