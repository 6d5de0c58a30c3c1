import { withConnection } from '@augury/testing/connection'
import { eventually } from '@augury/testing/eventually'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Caller } from './caller.ts'
import { fund, registerMarket } from './market.ts'
import { type RunningServer, runningServer, wallets } from './running-server.ts'

let running: RunningServer

beforeAll(async () => {
  running = await runningServer()
})
afterAll(() => running.close())

test('an order without a price that is sent again while its market gets a finer tick is one order, and both hear of it', async () => {
  const [alice, bob, operator] = await Promise.all([
    Caller.of(running.url, wallets.alice),
    Caller.of(running.url, wallets.bob),
    Caller.of(running.url, wallets.operator, 'venue'),
  ])
  for (const { address } of [wallets.alice, wallets.bob]) await fund(running.url, address, '100')
  const { condition, yes, no } = await registerMarket(running, 'refined', { tick_size: '0.1' })
  await bob.call('POST', '/order', { tokenId: no, side: 'BUY', orderType: 'GTC', price: '0.4', size: '20' })
  const order = { tokenId: yes, side: 'BUY', orderType: 'FAK', amount: '3', clientOrderId: 'sent-twice' }

  const answers = await withConnection(running.settings.clobDatabaseUrl, async (database) => {
    const waiting = (count: number) =>
      eventually(async () => {
        const { rows } = await database.query(`select pid from pg_locks where relation = 'placement'::regclass and not granted`)
        expect(rows.length).toBeGreaterThanOrEqual(count)
      })
    await database.query('begin')
    await database.query('lock table placement in access exclusive mode') // whether the name was used before is not to be known yet
    const first = alice.call('POST', '/order', order)
    await waiting(1)
    expect((await operator.call('PATCH', `/operator/conditions/${condition}`, { tick_size: '0.01' })).status).toBe(200)
    const second = alice.call('POST', '/order', order)
    await waiting(2)
    await database.query('commit')
    return Promise.all([first, second])
  })
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(answers[1].body).toEqual(answers[0].body)
  expect(answers.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true'])
  expect(await alice.call('POST', '/order', { ...order, amount: '4' })).toMatchObject({
    status: 409,
    body: { code: 'client_order_id_conflict' },
  })
})
