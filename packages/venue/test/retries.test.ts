import { expect, test } from 'vitest'
import { prove, type Trader } from '../src/serve/access/identity.ts'
import { Retries } from '../src/serve/state/retries.ts'

const trader = (signature: number, idempotencyKey?: string, account = 'a') =>
  prove<Trader>({
    ...{ kind: 'trader', account: `0x${account.repeat(40)}`, key: `key of ${account}`, scope: 'trade', deployment: null },
    ...{ signature: new Uint8Array(32).fill(signature), idempotencyKey, clientAddress: '', answerHeaders: {} },
  })
const venueAt = (now: () => number, done: ReadonlySet<string> = new Set()) => ({
  now,
  exchange: { knowsRequest: (id: string) => done.has(id) },
})
const CONTENT = ['split', '0x01', 10]

test('the same bytes are one request, whatever they are called, and so is what is signed anew under one name', () => {
  const retries = new Retries(venueAt(() => 0))
  const first = retries.idOf(trader(1, 'name'), CONTENT)
  expect(retries.idOf(trader(1), CONTENT)).toBe(first)
  expect(retries.idOf(trader(1, 'other'), CONTENT)).toBe(first)
  expect(retries.idOf(trader(2, 'name'), CONTENT)).toBe(first)
  expect(retries.idOf(trader(2), CONTENT)).toBe(first)
  const others = [trader(3), trader(4, 'another'), trader(5, 'name', 'b')].map((each) => retries.idOf(each, CONTENT))
  expect(new Set([first, ...others, retries.idOf(trader(6, 'name'), ['split', '0x01', 11])]).size).toBe(5)
})

test('a name is known for as long as the engine knows the request', () => {
  let now = 0
  const retries = new Retries(venueAt(() => now))
  const first = retries.idOf(trader(1, 'name'), CONTENT)
  now = 119_999
  expect(retries.idOf(trader(2, 'name'), CONTENT)).toBe(first)
  now = 120_000
  expect(retries.idOf(trader(3, 'name'), CONTENT)).not.toBe(first)
})

test('bytes that were signed anew for an old request are not done again when the engine has forgotten it', () => {
  let now = 0
  const done = new Set<string>()
  const retries = new Retries(venueAt(() => now, done))
  const [first, anew] = [trader(1, 'name'), trader(2, 'name')]
  const id = retries.idOf(first, CONTENT)
  expect(retries.isSpent(first)).toBe(false)
  done.add(id)
  now = 110_000
  expect(retries.idOf(anew, CONTENT)).toBe(id)
  expect(retries.isSpent(anew)).toBe(false)
  now = 125_000
  done.delete(id)
  expect(retries.idOf(anew, CONTENT)).toBe(id)
  expect(retries.isSpent(anew)).toBe(true)
})

test('bytes that were signed anew for a request that was never done are done when they come again', () => {
  const done = new Set<string>()
  const retries = new Retries(venueAt(() => 0, done))
  const id = retries.idOf(trader(1, 'name'), CONTENT)
  retries.idOf(trader(2, 'name'), CONTENT)
  expect(retries.isSpent(trader(2, 'name'))).toBe(false)
  done.add(id)
  expect(retries.isSpent(trader(2, 'name'))).toBe(false)
})
