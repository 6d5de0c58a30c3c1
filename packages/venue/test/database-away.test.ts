import { createDatabase } from '@augury/testing/database'
import { freePort } from '@augury/testing/free-port'
import pg from 'pg'
import { expect, test } from 'vitest'
import type { Trader } from '../src/access/identity.ts'
import type { Context } from '../src/context.ts'
import { isDatabaseAway } from '../src/database-away.ts'
import { placeOrders } from '../src/operations/place-order.ts'

const failure = (work: Promise<unknown>): Promise<unknown> => work.then(() => null, (error) => error) // biome-ignore format: one line

test('a server that nobody runs, a connection that was ended, and one that ends in mid-query', async () => {
  const nobody = new pg.Client(`postgres://postgres@127.0.0.1:${await freePort()}/x`)
  expect(isDatabaseAway(await failure(nobody.connect()))).toBe(true)

  const url = await createDatabase('away')
  const [victim, other] = [new pg.Client(url), new pg.Client(url)]
  victim.on('error', () => {})
  await Promise.all([victim.connect(), other.connect()])
  const { rows } = await victim.query('select pg_backend_pid() as pid')
  const sleeping = failure(victim.query('select pg_sleep(30)'))
  await other.query('select pg_terminate_backend($1)', [rows[0].pid])
  expect(isDatabaseAway(await sleeping)).toBe(true)
  expect(isDatabaseAway(await failure(victim.query('select 1')))).toBe(true)

  expect(isDatabaseAway(await failure(other.query('selekt 1')))).toBe(false)
  await other.end()
})

test('a bug is a bug', () => {
  expect([new TypeError('undefined is not a function'), 'text', null].map(isDatabaseAway)).toEqual([false, false, false])
})

test('a leg of an array that could not be looked up is told to come back, as an order alone is', async () => {
  const nobody = new pg.Client(`postgres://postgres@127.0.0.1:${await freePort()}/x`)
  const away = await failure(nobody.connect())
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
