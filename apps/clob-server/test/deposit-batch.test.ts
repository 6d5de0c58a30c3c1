import { referenceHash } from '@augury/signing/order-id'
import { expect, test } from 'vitest'
import { Caller } from './caller.ts'
import { runningServer, wallets } from './running-server.ts'

const running = await runningServer()
const venue = await Caller.of(running.url, wallets.operator, 'venue')
const alice = await Caller.of(running.url, wallets.alice)
const credit = async (deposits: object[]) => (await venue.call('POST', '/operator/deposits/batch', { deposits })).body
const one = (n: number, amount = String(1_000_000 + n)) => ({ address: wallets.alice.address, amount, ref: `vault-${n}` })
const log = async () => {
  const { data } = (await venue.call('GET', '/operator/deposits?limit=100')).body
  return data.map(({ ref }: { ref: string }) => ref)
}

test('deposits are credited in their order, each once, up to the first that is refused', async () => {
  const first = Array.from({ length: 20 }, (_, n) => one(n))
  expect(await credit(first)).toEqual({ deposited: 20, refused: null })
  expect(await log()).toEqual(first.map(({ ref }) => referenceHash(ref)))
  // Repeated after a crash, with more behind: the first ones are known, and the rest follows.
  expect(await credit([...first.slice(15), one(20), one(21)])).toEqual({ deposited: 7, refused: null })
  expect((await alice.cash()).balance).toBe(String(22_000_000 + (21 * 22) / 2))
  // Another amount under a known reference stops it there: what is behind waits.
  expect(await credit([one(22), one(3, '5'), one(23)])).toEqual({ deposited: 1, refused: { code: 'duplicate_ref', ref: 'vault-3' } })
  expect(await credit([one(23), one(23, '7')])).toEqual({ deposited: 1, refused: { code: 'duplicate_ref', ref: 'vault-23' } })
  expect((await log()).slice(20)).toEqual([20, 21, 22, 23].map((n) => referenceHash(`vault-${n}`)))
})

test('a batch with an amount that is none credits nothing, and only managers send one', async () => {
  const before = await log()
  expect((await credit([one(30), one(31, '0')])).code).toBe('invalid_amount')
  expect((await alice.call('POST', '/operator/deposits/batch', { deposits: [one(32)] })).body.code).toBe('insufficient_scope')
  expect((await credit(Array.from({ length: 251 }, (_, n) => one(100 + n)))).code).toBe('too_many_items')
  expect(await log()).toEqual(before)
})

test('two settlers that credit the same batch at once credit each once', async () => {
  const batch = Array.from({ length: 100 }, (_, n) => one(500 + n))
  expect(await Promise.all([credit(batch), credit(batch)])).toEqual([
    { deposited: 100, refused: null },
    { deposited: 100, refused: null },
  ])
  expect((await log()).length).toBe(100) // a page; the sum says that none came twice
  const sum = batch.reduce((total, { amount }) => total + Number(amount), 0)
  expect(Number((await alice.cash()).balance)).toBe(24_000_000 + (23 * 24) / 2 + sum)
})
