import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { type Needs, readiness } from '../src/readiness.ts'

/** Asks a program at `/readyz`. */
async function asked(needs: Needs, path = '/readyz', going = new AbortController().signal) {
  const answer = readiness(async () => needs, going)
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing)).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`)
  return [response.status, await response.json()]
}

test.each([
  ['everything is there', { database: true, exchange: true }, '/readyz', 200, { status: 'ok', database: true, exchange: true }],
  ['the exchange is away', { database: true, exchange: false }, '/readyz', 503, { status: 'unavailable', database: true, exchange: false }],
  ['it is left out', { database: true, exchange: false }, '/readyz?exclude=exchange', 200, { status: 'ok', database: true }],
  ['another is left out', { database: false, exchange: true }, '/readyz?exclude=exchange', 503, { status: 'unavailable', database: false }],
])('a program is ready or not: %s', async (_, needs, path, status, body) => {
  expect(await asked(needs, path)).toEqual([status, body])
})

test('one that goes is not ready, whatever is there', async () => {
  expect(await asked({ database: true }, '/readyz?exclude=database', AbortSignal.abort())).toEqual([503, { status: 'draining' }])
})
