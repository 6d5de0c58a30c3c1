import { freePort } from '@augury/testing/free-port'
import pg from 'pg'
import { expect, test } from 'vitest'
import type { Trader } from '../src/serve/access/identity.ts'
import type { Context } from '../src/serve/operations/context.ts'
import { placeOrders } from '../src/serve/operations/place-order.ts'

const failure = (work: Promise<unknown>): Promise<unknown> => work.then(() => null, (error) => error) // biome-ignore format: one line

test('a leg of an array that could not be looked up gets a retryable refusal, as a single order does', async () => {
  const closed = new pg.Client(`postgres://postgres@127.0.0.1:${await freePort()}/x`)
  const away = await failure(closed.connect())
  const bugs: unknown[] = []
  const failing = (error: unknown) =>
    ({ lanes: { run: () => Promise.reject(error) }, onBug: (bug: unknown) => void bugs.push(bug) }) as unknown as Context
  const trader = { account: `0x${'11'.repeat(20)}` } as Trader
  const legs = [{ tokenId: '1', side: 'BUY', orderType: 'GTC', price: '0.5', size: '5' }] as never
  expect(await placeOrders(failing(away), trader, { body: legs })).toMatchObject([{ success: false, code: 'service_unavailable' }])
  expect(bugs).toEqual([])
  const bug = new TypeError('undefined is not a function')
  expect(await placeOrders(failing(bug), trader, { body: legs })).toMatchObject([{ success: false, code: 'internal_error' }])
  expect(bugs).toEqual([bug])
})
