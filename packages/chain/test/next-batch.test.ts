import { referenceHash } from '@augury/signing/order-id'
import { type Hex, zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import { nextBatch, paymentRef } from '../src/payments.ts'
import type { Withdrawal } from '../src/ports.ts'
import { addressOf as address, VAULT } from './model-vault.ts'

const asked = (...rows: [account: number, amount: number, seq: number, to?: Hex][]): Withdrawal[] =>
  rows.map(([account, amount, seq, to], index) => ({ ref: `w${index}`, account: address(account), to: to ?? address(9), amount, seq }))
const RULES = { rootSeq: 10, left: 1000, whole: 2000, counts: new Map(), inFlight: [], never: [VAULT] }

test.each<[string, Withdrawal[], Partial<typeof RULES>, string[], object]>([
  ['oldest first', asked([1, 5, 3], [2, 5, 1]), {}, ['w1', 'w0'], {}],
  ['only what the root shows', asked([1, 5, 10], [2, 5, 11]), {}, ['w0'], { root: 1 }],
  ['two an account', asked([1, 5, 1], [1, 5, 2], [1, 5, 3]), {}, ['w0', 'w1'], { account: 1 }],
  ['two an account, those before included', asked([1, 5, 1], [2, 5, 2]), { counts: new Map([[address(1), 2]]) }, ['w1'], { account: 1 }],
  ['within the limit, and none overtakes', asked([1, 900, 1], [2, 200, 2], [3, 50, 3]), {}, ['w0'], { limit: 2 }],
  ['a payment above the whole limit does not block the others', asked([1, 2001, 1], [2, 200, 2]), {}, ['w1'], { impossible: 1 }],
  ['never to zero or the vault', asked([1, 5, 1, zeroAddress], [2, 5, 2, VAULT], [3, 5, 3]), {}, ['w2'], { impossible: 2 }],
  ['nothing of nothing', asked([1, 0, 1]), {}, [], { impossible: 1 }],
])('a batch is chosen: %s', (_, withdrawals, rules, names, held) => {
  const chosen = nextBatch(withdrawals, { ...RULES, ...rules })
  expect(chosen.batch.map(({ name }) => name)).toEqual(names)
  expect(chosen.held).toEqual({ root: 0, account: 0, limit: 0, impossible: 0, ...held })
})

test('nothing is paid before the first root', () => {
  expect(nextBatch(asked([1, 5, 0]), { ...RULES, rootSeq: null })).toMatchObject({ batch: [], held: { root: 1 } })
})

test('a batch has at most a hundred payments', () => {
  const many = asked(...Array.from({ length: 150 }, (_, n): [number, number, number] => [n, 1, 1]))
  expect(nextBatch(many, RULES).batch).toHaveLength(100)
})

test('the vault names a withdrawal by the hash that the exchange keeps of its reference', () => {
  for (const name of ['withdrawal-1', 'é']) expect(paymentRef(name)).toBe(referenceHash(name))
})
