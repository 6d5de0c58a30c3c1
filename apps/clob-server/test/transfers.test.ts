import { referenceHash } from '@augury/signing/order-id'
import { expect, test } from 'vitest'
import { Caller, send } from './caller.ts'
import { fund } from './market.ts'
import { runningServer, wallets } from './running-server.ts'

const running = await runningServer()
const venue = await Caller.of(running.url, wallets.operator, 'venue')
const alice = await Caller.of(running.url, wallets.alice)

test('money in and out is unique by its ref, for ever', async () => {
  const address = wallets.carol.address
  const carol = await Caller.of(running.url, wallets.carol)
  const deposit = { address, amount: '5000000', ref: 'bank-1' }
  expect((await venue.call('POST', '/operator/deposits', deposit)).body).toEqual({ ref: 'bank-1', status: 'deposited', balance: '5' })
  expect((await venue.call('POST', '/operator/deposits', deposit)).body.balance).toBe('5')
  expect((await venue.call('POST', '/operator/deposits', { ...deposit, amount: '1' })).body.code).toBe('duplicate_ref')
  await running.restart()
  expect((await venue.call('POST', '/operator/deposits', deposit)).body.balance).toBe('5')

  const withdrawal = { address, amount: '2000000', ref: 'out-1' }
  expect((await venue.call('POST', '/operator/withdrawals', withdrawal)).body).toEqual({
    ref: 'out-1',
    status: 'withdrawing',
    balance: '3',
  })
  expect((await venue.call('POST', '/operator/withdrawals', withdrawal)).body.balance).toBe('3')
  expect(await carol.cash()).toMatchObject({ balance: '5000000', available: '3000000', reserved: '2000000' })
  expect((await carol.call('GET', '/holds')).body).toEqual([{ order_id: '', asset: 'USDC', amount: '2000000', reason: 'withdrawal' }])
  expect((await venue.call('POST', '/operator/withdrawals/out-1/settle')).body).toEqual({ ref: 'out-1', status: 'settled', balance: '3' })
  expect((await venue.call('POST', '/operator/withdrawals/out-1/settle')).body.status).toBe('settled')
  expect((await venue.call('POST', '/operator/withdrawals/out-1/return')).body.code).toBe('duplicate_ref')
  expect((await venue.call('POST', '/operator/withdrawals/never/return')).body.code).toBe('unknown_ref')
  await venue.call('POST', '/operator/withdrawals', { ...withdrawal, ref: 'out-2' })
  expect((await venue.call('POST', '/operator/withdrawals/out-2/return')).body).toEqual({ ref: 'out-2', status: 'returned', balance: '3' })
  expect((await venue.call('POST', '/operator/withdrawals', { ...withdrawal, amount: '4000000', ref: 'out-3' })).body).toMatchObject({
    code: 'insufficient_balance',
  })
  expect((await venue.call('POST', '/operator/deposits', { ...deposit, amount: '0', ref: 'bank-2' })).body.code).toBe('invalid_amount')
})

test('what was credited to whomever is a list that goes on where it ended, for those who manage the venue', async () => {
  const from = (await venue.call('GET', '/operator/deposits')).body.seq
  const list = async (query: string) => (await venue.call('GET', `/operator/deposits?${query}`)).body
  await fund(running.url, wallets.alice.address, '1.5')
  await venue.call('POST', '/operator/deposits', { address: wallets.bob.address, amount: '2000000', ref: 'bank-list' })
  await venue.call('POST', '/operator/withdrawals', { address: wallets.bob.address, amount: '1', ref: 'out-list' })
  const all = await list(`after=${from}`)
  expect(all).toMatchObject({
    data: [
      { address: wallets.alice.address, amount: '1500000' },
      { address: wallets.bob.address, amount: '2000000', ref: referenceHash('bank-list') },
    ],
    next_cursor: 'LTE=',
  })
  const first = await list(`after=${from}&limit=1`)
  expect([first.data, first.seq]).toEqual([all.data.slice(0, 1), all.data[0].seq])
  expect((await list(`limit=1&next_cursor=${first.next_cursor}`)).data).toEqual(all.data.slice(1))
  expect(await list('next_cursor=LTE=')).toEqual({ data: [], seq: all.seq, epoch: all.epoch, after_epoch: 1, next_cursor: 'LTE=' })
  expect((await alice.call('GET', '/operator/deposits')).body.code).toBe('insufficient_scope')
})

test('steps of withdrawals are a list in the order of the log, in which each end names what it ends', async () => {
  const { address } = wallets.bob
  const from = (await venue.call('GET', '/operator/withdrawals')).body.seq
  await venue.call('POST', '/operator/deposits', { address, amount: '9000000', ref: 'bank-steps' })
  for (const [ref, amount] of Object.entries({ paid: '2000000', waits: '3000000', back: '4000000' }))
    await venue.call('POST', '/operator/withdrawals', { address, amount, ref })
  await venue.call('POST', '/operator/withdrawals/back/return')
  await venue.call('POST', '/operator/withdrawals/paid/settle')
  const { body } = await venue.call('GET', `/operator/withdrawals?after=${from}`)
  expect(body.data.map(({ ref, address, amount, status }: Record<string, string>) => [ref, address, amount, status])).toEqual([
    [referenceHash('paid'), address, '2000000', 'withdrawing'],
    [referenceHash('waits'), address, '3000000', 'withdrawing'],
    [referenceHash('back'), address, '4000000', 'withdrawing'],
    [referenceHash('back'), address, '4000000', 'returned'],
    [referenceHash('paid'), address, '2000000', 'settled'],
  ])
  const first = (await venue.call('GET', `/operator/withdrawals?after=${from}&limit=2`)).body
  expect((await venue.call('GET', `/operator/withdrawals?next_cursor=${first.next_cursor}`)).body.data).toEqual(body.data.slice(2))
  expect((await alice.call('GET', '/operator/withdrawals')).body.code).toBe('insufficient_scope')
})

test('the state is signed when who manages the venue asks, and once for the same state', async () => {
  expect((await alice.call('POST', '/operator/roots')).body.code).toBe('insufficient_scope')
  await venue.call('POST', '/operator/deposits', { address: wallets.bob.address, amount: '1000000', ref: 'bank-root' })
  const { body: root } = await venue.call('POST', '/operator/roots')
  const { seq } = (await send(running.url, 'GET', '/status')).body
  expect(root).toMatchObject({ n: expect.any(Number), seq })
  expect((await venue.call('POST', '/operator/roots')).body).toEqual(root)
  expect((await send(running.url, 'GET', '/proof/roots/latest')).body).toEqual({ ...root, transaction_hash: null })
})

test.each(['out/1', '/', '.', '..'])('a withdrawal is not called %s, which no path could end', async (ref) => {
  const address = wallets.bob.address
  const refused = await venue.call('POST', '/operator/withdrawals', { address, amount: '1', ref })
  expect(refused.body).toMatchObject({ code: 'invalid_payload', details: [{ path: 'ref' }] })
})

const visible = Array.from({ length: 0x7e - 0x20 }, (_, i) => String.fromCharCode(0x21 + i)).filter((each) => each !== '/')

test.each(['%2F..?a=b#c', visible.join('')])('a withdrawal is ended by whatever else it is called, as %s', async (ref) => {
  const address = wallets.bob.address
  await venue.call('POST', '/operator/deposits', { address, amount: '1', ref: `bank ${ref}`.replaceAll(' ', '-') })
  await venue.call('POST', '/operator/withdrawals', { address, amount: '1', ref })
  expect((await venue.call('POST', `/operator/withdrawals/${encodeURIComponent(ref)}/return`)).body).toMatchObject({
    ref,
    status: 'returned',
  })
})

test('a withdrawal with a lost ref ends by its hash', async () => {
  const lost = { address: wallets.bob.address, amount: '1000000', ref: 'lost-with-a-restored-database' }
  await venue.call('POST', '/operator/deposits', { ...lost, ref: 'bank-lost' })
  await venue.call('POST', '/operator/withdrawals', lost)
  const hash = referenceHash(lost.ref)
  for (const ref of [hash, hash, lost.ref])
    expect((await venue.call('POST', `/operator/withdrawals/${ref}/return`)).body).toMatchObject({ ref, status: 'returned' })
  expect((await venue.call('POST', `/operator/withdrawals/0x${'ab'.repeat(32)}/return`)).body.code).toBe('unknown_ref')
})

test('where a vault holds real money, only its deposits are credited', async () => {
  const { settings } = running.server.edge.context
  const vault = `0x${'5a'.repeat(20)}`
  const refs = [
    'bank-3',
    `deposit:1:${vault}:7`,
    `deposit:${settings.chainId}:0x${'5b'.repeat(20)}:7`,
    `deposit:${settings.chainId}:${vault}:0`,
  ]
  const credit = (ref: string) => venue.call('POST', '/operator/deposits', { address: wallets.bob.address, amount: '1000000', ref })
  Object.assign(settings, { vault })
  try {
    for (const ref of refs) expect(await credit(ref)).toMatchObject({ status: 409, body: { code: 'not_from_chain' } })
    expect((await credit(`deposit:${settings.chainId}:${vault}:7`)).body.status).toBe('deposited')
  } finally {
    Object.assign(settings, { vault: undefined })
  }
})
