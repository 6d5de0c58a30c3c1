import { eventually } from '@augury/testing/eventually'
import { expect, test } from 'vitest'
import { Caller, send } from './caller.ts'
import { fund, funded, registerMarket } from './market.ts'
import { runningServer, wallets } from './running-server.ts'

const running = await runningServer()

test('an order that is sent again while it waits for its row is never too late', async () => {
  const alice = await funded(running.url, wallets.alice, '100')
  const { yes } = await registerMarket(running, 'waiting')
  const { venue, underWay } = running.server.edge.context
  const seconds = () => Math.floor(venue.now() / 1000)
  const last = seconds() + 62
  const order = { tokenId: yes, side: 'BUY', orderType: 'GTD', price: '0.1', size: '10', expiration: last }
  const bodies = [order, { ...order, clientOrderId: 'waits' }].map((body) => JSON.stringify(body))
  const signed = await Promise.all(bodies.map((body) => alice.headers('POST', '/order', body)))
  const ask = () => Promise.all(bodies.map((body, n) => send(running.url, 'POST', '/order', body, signed[n])))

  const [submit, settledBehind, opened] = [venue.submit.bind(venue), underWay.settledBehind.bind(underWay), Promise.withResolvers<void>()]
  const seen = { submitted: 0, asked: 0 }
  venue.submit = async (command) => {
    seen.submitted++
    await opened.promise
    return submit(command)
  }
  underWay.settledBehind = (...asked) => {
    seen.asked++
    return settledBehind(...asked)
  }
  const first = ask()
  await eventually(() => expect(seen.submitted).toBe(2))
  await eventually(() => expect(seconds()).toBeGreaterThan(last - 60))
  const again = ask()
  await Promise.race([again, eventually(() => expect(seen.asked).toBe(2))])
  opened.resolve()
  Object.assign(venue, { submit })
  Object.assign(underWay, { settledBehind })
  const answers = [...(await first), ...(await again)]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 409, 200])
  expect(answers[2]!.body).toMatchObject({ code: 'duplicate_order', orderId: answers[0]!.body.orderId, state: 'live' })
  expect(answers[3]!.body).toEqual({ ...answers[1]!.body, replayed: true })
  const later = await alice.call('POST', '/order', { ...order, clientOrderId: 'never-sent' })
  expect([later.status, later.body.code]).toEqual([400, 'invalid_expiration'])
})

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

  const { venue } = running.server.edge.context
  const [submit, opened] = [venue.submit.bind(venue), Promise.withResolvers<void>()]
  let placed = 0
  venue.submit = async (command) => {
    if (command.type === 'place' && ++placed <= 2) await opened.promise
    return submit(command)
  }
  const first = alice.call('POST', '/order', order)
  await eventually(() => expect(placed).toBe(1))
  expect((await operator.call('PATCH', `/operator/conditions/${condition}`, { tick_size: '0.01' })).status).toBe(200)
  const second = alice.call('POST', '/order', order)
  await eventually(() => expect(placed).toBe(2))
  opened.resolve()
  const answers = await Promise.all([first, second])
  Object.assign(venue, { submit })
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(answers[1].body).toEqual({ ...answers[0].body, replayed: true })
  expect(answers.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true'])
  expect(await alice.call('POST', '/order', { ...order, amount: '4' })).toMatchObject({
    status: 409,
    body: { code: 'client_order_id_conflict' },
  })
})
