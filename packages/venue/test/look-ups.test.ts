import { setImmediate } from 'node:timers/promises'
import type { Hex } from '@augury/engine/command'
import { expect, test } from 'vitest'
import type { OrderRecord } from '../src/record/history/read-orders.ts'
import { LookUps } from '../src/serve/state/look-ups.ts'
import { id } from './commands.ts'

const order = (orderId: Hex) => ({ orderId }) as OrderRecord

/** Look-ups over a history that answers when the test says so. */
function slowly() {
  const asked: { ids: readonly Hex[]; answer: () => void; fail: () => void }[] = []
  const orders = (ids: readonly Hex[]) =>
    new Promise<Map<Hex, OrderRecord>>((resolve, reject) => {
      asked.push({ ids, answer: () => resolve(new Map(ids.map((one) => [one, order(one)]))), fail: () => reject(new Error('away')) })
    })
  const lookUps = new LookUps({ status: () => ({ lagSeconds: 0 }), readModel: { orders } } as never)
  return { asked, lookUps }
}

test('what is looked up in one turn is one query', async () => {
  const { asked, lookUps } = slowly()
  const found = [lookUps.order(id('a')), lookUps.order(id('b')), lookUps.order(id('a'))]
  await setImmediate()
  expect(asked.map(({ ids }) => ids)).toEqual([[id('a'), id('b')]])
  asked[0]!.answer()
  expect(await Promise.all(found)).toEqual([order(id('a')), order(id('b')), order(id('a'))])
})

test('while the database is slow, what many turns look up is one query more, and each gets its own answer', async () => {
  const { asked, lookUps } = slowly()
  const found: Promise<OrderRecord | null>[] = []
  for (let turn = 0; turn < 50; turn++) {
    found.push(lookUps.order(id(`${turn}`)))
    await setImmediate()
  }
  expect(asked).toHaveLength(2)
  asked[1]!.answer()
  await expect(found[1]).resolves.toEqual(order(id('1')))
  expect(asked.map(({ ids }) => ids.length)).toEqual([1, 1, 48])
  asked[2]!.answer()
  asked[0]!.answer()
  expect(await Promise.all(found)).toEqual(found.map((_, turn) => order(id(`${turn}`))))
})

test('a failed query fails the look-ups that waited for it, and no others', async () => {
  const { asked, lookUps } = slowly()
  const first = lookUps.order(id('a'))
  await setImmediate()
  asked[0]!.fail()
  await expect(first).rejects.toThrow('away')
  const second = lookUps.order(id('a'))
  await setImmediate()
  asked[1]!.answer()
  expect(await second).toEqual(order(id('a')))
})

test('what history cannot say yet is a rejection, and no query', async () => {
  const lookUps = new LookUps({ status: () => ({ lagSeconds: 301 }), readModel: {} } as never)
  const asked = [() => lookUps.order(id('a')), () => lookUps.named(id('b'), 'mine'), () => lookUps.transfer(id('c'))]
  for (const ask of asked) await expect(ask()).rejects.toMatchObject({ code: 'read_model_lagging' })
})
