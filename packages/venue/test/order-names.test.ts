import type { Hex } from '@augury/engine/command'
import { clientOrderHash } from '@augury/signing/order-id'
import { ServiceError } from '@augury/wire/service-error'
import { expect, test } from 'vitest'
import { OrderNames } from '../src/order-names.ts'
import { address, id } from './commands.ts'

const ANN = address('ann')
const [ONE, OTHER] = [id('one'), id('other')]
const MINUTE = 60_000

/** Names over a history that knows what it is told, at once or when a test says so, and fails as often as `fail` counts. */
function names({ seq = 10, isThere = true } = {}) {
  const fail = { times: 0 }
  const known = new Map<string, Hex>()
  const open = new Set<Hex>()
  const waited: number[] = []
  const there = Promise.withResolvers<void>()
  if (isThere) there.resolve()
  const exchange = { seq, order: (orderId: Hex) => (open.has(orderId) ? ({ orderId } as never) : null) }
  const lookUps = {
    named: async (account: Hex, name: string) => {
      if (fail.times-- > 0) throw new ServiceError('read_model_lagging')
      const orderId = known.get(`${account}/${name}`)
      return orderId === undefined ? null : ({ orderId } as never)
    },
  }
  const waitFor = (position: number) => {
    waited.push(position)
    return there.promise
  }
  return { made: new OrderNames(exchange, lookUps, { waitFor }), exchange, known, open, waited, there, fail }
}

test('a name is one order’s: claimed here, open here, or known to history', async () => {
  const { made, known, open } = names()
  expect([await made.claim(ANN, 'a', ONE, 0), await made.claim(ANN, 'a', ONE, 0), await made.claim(ANN, 'a', OTHER, 0)]).toEqual([
    true,
    true,
    false,
  ])
  expect(await made.claim(address('bob'), 'a', OTHER, 0)).toBe(true)
  known.set(`${ANN}/b`, ONE)
  expect([await made.claim(ANN, 'b', OTHER, 0), await made.claim(ANN, 'b', ONE, 0)]).toEqual([false, true])
  open.add(clientOrderHash(ANN, 'c'))
  expect([await made.claim(ANN, 'c', OTHER, 0), await made.claim(ANN, 'c', clientOrderHash(ANN, 'c'), 0)]).toEqual([false, true])
})

test('one that was given back is free; one that was forgotten here is asked of history', async () => {
  const { made, known } = names()
  await made.claim(ANN, 'a', ONE, 0)
  made.release(ANN, 'a', OTHER)
  expect(await made.claim(ANN, 'a', OTHER, 0)).toBe(false)
  made.release(ANN, 'a', ONE)
  expect(await made.claim(ANN, 'a', OTHER, 0)).toBe(true)
  known.set(`${ANN}/a`, OTHER)
  expect(await made.claim(ANN, 'a', ONE, 11 * MINUTE)).toBe(false)
})

test('what another process let in shortly before is waited for: history has it soon', async () => {
  const { made, exchange, known, waited, there } = names({ isThere: false })
  const claim = made.claim(ANN, 'a', ONE, 0)
  exchange.seq = 50
  known.set(`${ANN}/a`, OTHER)
  there.resolve()
  expect(await claim).toBe(false)
  await made.claim(ANN, 'b', ONE, 0)
  expect(waited).toEqual([10, 10]) // what came since was claimed here
})

test('where history cannot say, nobody has the name, however often it is asked for', async () => {
  const { made, there } = names({ isThere: false })
  const [first, second] = [made.claim(ANN, 'a', ONE, 0), made.claim(ANN, 'a', ONE, 0)]
  there.reject(new ServiceError('read_model_lagging'))
  for (const asked of [first, second, made.claim(ANN, 'a', ONE, 0)]) {
    await expect(asked).rejects.toMatchObject({ code: 'read_model_lagging' })
  }
})

test('a look-up that failed takes no name: the next one that asks is told by history', async () => {
  const { made, known, fail } = names()
  fail.times = 1
  await expect(made.claim(ANN, 'a', ONE, 0)).rejects.toMatchObject({ code: 'read_model_lagging' })
  expect([await made.claim(ANN, 'a', ONE, 0), await made.claim(ANN, 'a', OTHER, 0)]).toEqual([true, false])
  known.set(`${ANN}/b`, OTHER)
  fail.times = 1
  await expect(made.claim(ANN, 'b', ONE, 0)).rejects.toMatchObject({ code: 'read_model_lagging' })
  expect([await made.claim(ANN, 'b', ONE, 0), await made.claim(ANN, 'b', OTHER, 0)]).toEqual([false, true])
})
