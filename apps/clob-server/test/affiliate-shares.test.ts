import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { Caller } from './caller.ts'
import { fund, registerMarket } from './market.ts'
import { runningServer, wallets } from './running-server.ts'

const dora = privateKeyToAccount(`0x${'d0'.repeat(32)}`)
const callers = new Map<string, Caller>()

const running = await runningServer({ OPERATOR_ADDRESSES: `${wallets.operator.address},${wallets.carol.address}` })
const operator = await Caller.of(running.url, wallets.operator, 'venue')
for (const name of ['alice', 'bob'] as const) {
  await fund(running.url, wallets[name].address, '10000')
  callers.set(name, await Caller.of(running.url, wallets[name]))
}
const market = await registerMarket(running, 'shared-fees', { fee_rate_bps: 700, affiliate_share_bps: 3333, min_size: '1' })

let orders = 0
const place = (name: string, order: Record<string, string>) =>
  callers.get(name)!.call('POST', '/order', { tokenId: market.yes, orderType: 'GTC', clientOrderId: `order-${++orders}`, ...order })
/** Bob takes two levels of Alice's: one order, two trades. */
async function trade(): Promise<number> {
  await place('alice', { tokenId: market.no, side: 'BUY', price: '0.5', size: '10.07' })
  await place('alice', { tokenId: market.no, side: 'BUY', price: '0.49', size: '3.01' })
  const { body } = await place('bob', { side: 'BUY', price: '0.51', size: '13.08' })
  return body.seq
}
const feed = async (query: string, caller = operator) => (await caller.call('GET', `/operator/affiliate-shares${query}`)).body
const earned = async () => Number((await callers.get('dora')!.cash()).balance)

test('fees of an account are summed from a position on, for those who manage the venue', async () => {
  const fees = async (after: number, caller = operator) =>
    (await caller.call('GET', `/operator/fees?address=${wallets.operator.address}&after=${after}`)).body
  const before = await fees(0)
  await trade()
  const since = await fees(before.seq)
  expect(since).toMatchObject({ is_complete: true })
  const taken = 1007 * 700 * 5000 * 5000 + 301 * 700 * 5100 * 4900
  expect(Number(since.amount)).toBe(Math.round(taken / 1e8))
  expect(await fees(0)).toMatchObject({ amount: String(Number(before.amount) + Number(since.amount)), seq: since.seq })
  expect(Number(since.available) - Number(before.available)).toBe(Number(since.amount))
  expect(await fees(since.seq)).toMatchObject({ amount: '0', available: since.available })
  expect((await fees(0, callers.get('alice')!)).code).toBe('insufficient_scope')
})

test('each order of a referred trader pays the referrer, and the feed has it to the millionth', async () => {
  await trade() // before anybody referred him: nothing is shared
  callers.set('dora', await Caller.of(running.url, dora))
  await operator.call('PUT', `/operator/accounts/${wallets.bob.address}`, { referrer: dora.address })
  const seqs = [await trade(), await trade(), await trade()]
  const { data, next_cursor } = await feed('')
  const fees = 1007 * 700 * 5000 * 5000 + 301 * 700 * 5100 * 4900
  const fee = Math.round(fees / 1e8)
  const amount = Math.floor((fee * 3333) / 10_000)
  const share = {
    ...{ timestamp_iso: expect.any(String), market: market.condition, taker_address: wallets.bob.address },
    ...{ referrer: dora.address, volume: String(1007 * 5000 + 301 * 5100), fee: String(fee), amount: String(amount) },
  }
  expect([data, next_cursor]).toEqual([seqs.map((seq) => ({ seq, ...share })), 'LTE='])
  expect(await earned()).toBe(3 * amount)
})

test('a page goes on where the last one ended, by cursor or by position', async () => {
  const all = (await feed('')).data
  const first = await feed('?limit=2')
  expect([first.data, first.seq]).toEqual([all.slice(0, 2), all[1].seq])
  expect((await feed(`?next_cursor=${first.next_cursor}`)).data).toEqual(all.slice(2))
  expect((await feed(`?after=${all[1].seq}`)).data).toEqual(all.slice(2))
  const end = await feed(`?after=${all[2].seq}`)
  expect([end.data, end.next_cursor, end.seq >= all[2].seq]).toEqual([[], 'LTE=', true])
  expect((await feed('?next_cursor=x')).code).toBe('invalid_payload')
})

test('the feed is private to the referrer', async () => {
  const carol = await Caller.of(running.url, wallets.carol, 'operator')
  expect((await feed('', carol)).data).toEqual([])
  expect((await feed('', callers.get('bob'))).code).toBe('insufficient_scope')
})
