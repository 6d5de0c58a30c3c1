import { setImmediate } from 'node:timers/promises'
import type { Hex } from '@augury/engine/command'
import { clientOrderHash } from '@augury/signing/order-id'
import { ServiceError } from '@augury/wire/service-error'
import { expect, onTestFinished, test } from 'vitest'
import type { NameFilter } from '../src/base/name-filter.ts'
import type { Venue } from '../src/record/venue.ts'
import { OrderNames } from '../src/serve/state/order-names.ts'
import { address, id } from './commands.ts'

const ANN = address('ann')
const [ONE, OTHER] = [id('one'), id('other')]
const MINUTE = 60_000

/** Never read, so that history is asked about every name. */
const unread = () => new Promise<void>(() => {})

/** Returns names over a scripted history, which answers at once or when a test says so, and fails as often as `fail` counts. */
function names({ seq = 10, isThere = true, readNames = unread as (filter: NameFilter) => Promise<void> } = {}) {
  const fail = { times: 0 }
  const known = new Map<string, Hex>()
  const open = new Set<Hex>()
  const waited: number[] = []
  const there = Promise.withResolvers<void>()
  if (isThere) there.resolve()
  const exchange = { seq, order: (orderId: Hex) => (open.has(orderId) ? ({ orderId } as never) : null) }
  const asked: string[] = []
  const lookUps = {
    named: async (account: Hex, name: string) => {
      asked.push(name)
      if (fail.times-- > 0) throw new ServiceError('read_model_lagging')
      const orderId = known.get(`${account}/${name}`)
      return orderId === undefined ? null : ({ orderId } as never)
    },
  }
  const waitFor = (position: number) => {
    waited.push(position)
    return there.promise
  }
  const errors: string[] = []
  const onError = (error: Error) => void errors.push(error.message)
  const venue = { exchange, readModel: { waitFor } } as unknown as Venue
  const made = new OrderNames(venue, lookUps, readNames, onError, 1)
  onTestFinished(() => made.close())
  return { made, exchange, known, open, waited, there, fail, asked, errors }
}

/** Names whose history was read: Ann has one order there. */
async function read() {
  const all = names({ readNames: async (filter) => filter.add(clientOrderHash(ANN, 'old')) })
  all.known.set(`${ANN}/old`, ONE)
  await all.made.claim(ANN, 'first', ONE, 0)
  await expect.poll(() => all.made.isNew(clientOrderHash(ANN, 'new'))).toBe(true)
  all.asked.length = 0
  return all
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
  expect(waited).toEqual([10, 10, 10]) // what came since was claimed here; once before all names are read
})

test('where history cannot say, the name is free, however often it is asked for', async () => {
  const { made, there } = names({ isThere: false })
  const [first, second] = [made.claim(ANN, 'a', ONE, 0), made.claim(ANN, 'a', ONE, 0)]
  there.reject(new ServiceError('read_model_lagging'))
  for (const asked of [first, second, made.claim(ANN, 'a', ONE, 0)]) {
    await expect(asked).rejects.toMatchObject({ code: 'read_model_lagging' })
  }
})

test('a look-up that failed takes no name: the next look-up reads history', async () => {
  const { made, known, fail } = names()
  fail.times = 1
  await expect(made.claim(ANN, 'a', ONE, 0)).rejects.toMatchObject({ code: 'read_model_lagging' })
  expect([await made.claim(ANN, 'a', ONE, 0), await made.claim(ANN, 'a', OTHER, 0)]).toEqual([true, false])
  known.set(`${ANN}/b`, OTHER)
  fail.times = 1
  await expect(made.claim(ANN, 'b', ONE, 0)).rejects.toMatchObject({ code: 'read_model_lagging' })
  expect([await made.claim(ANN, 'b', ONE, 0), await made.claim(ANN, 'b', OTHER, 0)]).toEqual([false, true])
})

test('a new name is taken at once when all names of history were read; one of those is asked about', async () => {
  const { made, asked } = await read()
  expect([made.claim(ANN, 'new', ONE, 0), made.claim(ANN, 'new', OTHER, 0), made.find(ANN, 'newer')]).toEqual([true, false, null])
  expect(asked).toEqual([])
  expect([await made.claim(ANN, 'old', OTHER, 0), await made.claim(ANN, 'old', ONE, 0), await made.find(ANN, 'old')]).toEqual([
    false,
    true,
    ONE,
  ])
  expect(asked).toEqual(['old', 'old'])
})

test('a name that was given back is new, one that was claimed is not, and stays so when it is forgotten here', async () => {
  const { made, known, asked } = await read()
  const isNew = () => ['kept', 'returned'].map((name) => made.isNew(clientOrderHash(ANN, name)))
  expect([made.claim(ANN, 'kept', ONE, 0), made.claim(ANN, 'returned', ONE, 0)]).toEqual([true, true])
  expect(isNew()).toEqual([false, false])
  made.release(ANN, 'returned', ONE)
  expect(isNew()).toEqual([false, true])
  known.set(`${ANN}/kept`, ONE)
  made.claim(ANN, 'later', OTHER, 11 * MINUTE)
  expect(isNew()).toEqual([false, true])
  expect(await made.claim(ANN, 'kept', OTHER, 11 * MINUTE)).toBe(false)
  expect(asked).toEqual(['kept'])
})

test('while names cannot be read every one is asked about, and reading is tried again', async () => {
  let times = 0
  const { made, asked, errors } = names({
    readNames: async () => {
      if (++times < 3) throw new Error('away')
    },
  })
  expect([made.isNew(clientOrderHash(ANN, 'a')), await made.claim(ANN, 'a', ONE, 0)]).toEqual([false, true])
  expect(asked).toEqual(['a'])
  await expect.poll(() => made.isNew(clientOrderHash(ANN, 'b'))).toBe(true)
  expect([times, errors]).toEqual([3, ['away', 'away']])
})

test('reading that ends with the program is no error', async () => {
  const stopped = Promise.withResolvers<void>()
  const { made, errors } = names({ readNames: () => stopped.promise })
  await made.claim(ANN, 'a', ONE, 0)
  made.close()
  stopped.reject(new Error('stopped'))
  await setImmediate()
  expect(errors).toEqual([])
})
