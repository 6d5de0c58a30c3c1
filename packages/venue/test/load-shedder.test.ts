import type { VenueOperationName } from '@augury/wire/operations/venue'
import { expect, test } from 'vitest'
import { FIRST } from '../src/serve/access/concurrency-limit.ts'
import { LoadShedder } from '../src/serve/access/load-shedder.ts'

const KINDS = { order: 'placeOrder', book: 'getBooks', cancel: 'cancelOrder' } as const

/** A load shedder whose figures a test sets, and which kinds it lets in. */
function measured() {
  const figures = { now: 0, processor: 0, queued: 0 }
  const turns: (() => void)[] = []
  const asked = { processor: 0 }
  const shedder = new LoadShedder({
    now: () => figures.now,
    processor() {
      asked.processor++
      return figures.processor
    },
    queued: () => figures.queued,
    afterTurn: (call) => turns.push(call),
  })
  const isLetIn = (name: VenueOperationName, account: string | null = null) => {
    try {
      shedder.admit(name, () => account)
      return true
    } catch (error) {
      expect(error).toMatchObject({ status: 503, code: 'overloaded', retryAfter: 1 })
      return false
    }
  }
  return {
    ...{ shedder, figures, asked, isLetIn },
    /** Milliseconds of work, and of everybody else's beside it. */
    work(ms: number, elsewhere = 0) {
      figures.processor += ms
      figures.now += ms + elsewhere
    },
    nextTurn() {
      for (const call of turns.splice(0)) call()
    },
    letIn: () => Object.entries(KINDS).flatMap(([kind, name]) => (isLetIn(name) ? [kind] : [])),
  }
}

test.each([
  [0, ['order', 'book', 'cancel']],
  [39, ['order', 'book', 'cancel']],
  [40, ['book', 'cancel']],
  [159, ['book', 'cancel']],
  [160, ['cancel']],
  [1999, ['cancel']],
  [2000, []],
])('when one turn of the event loop has worked for %i ms, it lets in %j', (ms, expected) => {
  const { letIn, work } = measured()
  expect(letIn()).toEqual(['order', 'book', 'cancel'])
  work(ms)
  expect(letIn()).toEqual(expected)
})

test.each([
  [999, ['order', 'book', 'cancel']],
  [1000, ['book', 'cancel']],
  [3000, ['cancel']],
  [9999, ['cancel']],
])('when the oldest command has waited %i ms for a row, it lets in %j', (ms, expected) => {
  const { figures, letIn } = measured()
  figures.queued = ms
  expect(letIn()).toEqual(expected)
})

test('the next turn begins anew', () => {
  const { letIn, work, nextTurn } = measured()
  letIn()
  work(500)
  expect(letIn()).toEqual(['cancel'])
  nextTurn()
  expect(letIn()).toEqual(['order', 'book', 'cancel'])
  work(39)
  expect(letIn()).toEqual(['order', 'book', 'cancel'])
})

test('while orders under way are as many as the limit, it lets in no more of them, but everything else, until one has an answer', async () => {
  const { shedder, letIn } = measured()
  const waiting: PromiseWithResolvers<string>[] = []
  const answers: Promise<string>[] = []
  for (let n = 0; n < FIRST; n++) {
    expect(letIn()).toEqual(['order', 'book', 'cancel'])
    const wait = Promise.withResolvers<string>()
    waiting.push(wait)
    answers.push(shedder.measure('placeOrder', 'ann', 1, () => wait.promise))
  }
  expect(letIn()).toEqual(['book', 'cancel'])
  waiting[0]!.resolve('done')
  expect(await answers[0]).toBe('done')
  expect(letIn()).toEqual(['order', 'book', 'cancel'])
})

test('a batch is as many orders as it places', async () => {
  const { shedder, letIn } = measured()
  const { promise, resolve } = Promise.withResolvers<void>()
  const batches: Promise<void>[] = []
  for (let orders = 0; orders < FIRST; orders += 15) {
    expect(letIn()).toContain('order')
    batches.push(shedder.measure('placeOrders', 'ann', 15, () => promise))
  }
  expect(letIn()).toEqual(['book', 'cancel'])
  resolve()
  await Promise.all(batches)
  expect(letIn()).toEqual(['order', 'book', 'cancel'])
})

test('who is refused or breaks off is under way no more', async () => {
  const { shedder, letIn } = measured()
  for (let n = 0; n < 2 * FIRST; n++) {
    await expect(shedder.measure('placeOrder', 'ann', 1, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
    await expect(
      shedder.measure('placeOrders', 'ann', 15, () => {
        throw new Error('at once')
      }),
    ).rejects.toThrow('at once')
  }
  expect(letIn()).toEqual(['order', 'book', 'cancel'])
})

/** Orders of an account that stay under way, as many as it may have. Returns how many those are. */
function fill({ shedder, isLetIn }: ReturnType<typeof measured>, account: string, most = Number.POSITIVE_INFINITY): number {
  let orders = 0
  for (; orders < most && isLetIn('placeOrder', account); orders++)
    void shedder.measure('placeOrder', account, 1, () => new Promise(() => {}))
  return orders
}

test('an account that sends many orders leaves others as many', () => {
  const load = measured()
  expect(fill(load, 'many')).toBe(FIRST)
  let others = 0
  for (let n = 0; n < 2 * FIRST; n++) others += fill(load, `few ${n}`, 3)
  expect(others).toBe(FIRST)
  expect(load.isLetIn('placeOrder', 'many')).toBe(false)
  expect(load.isLetIn('placeOrder')).toBe(false)
})

test('one of two accounts may have a third of what the other has', () => {
  const load = measured()
  fill(load, 'many')
  expect(fill(load, 'few')).toBe(Math.floor(FIRST / 3))
})

test('where all send as few, none is let in beyond what can be done', () => {
  const load = measured()
  for (let n = 0; n < FIRST; n++) expect(fill(load, `${n}`, 1)).toBe(1)
  expect(load.isLetIn('placeOrder', 'another')).toBe(false)
  expect(load.isLetIn('placeOrder', '7')).toBe(false)
})

test.each([
  [39, true, true],
  [40, false, true],
  [159, false, true],
  [160, false, false],
])('when one turn has worked for %i ms, one more of many is let in: %j, and one of few: %j', (ms, many, few) => {
  const load = measured()
  fill(load, 'many', 10)
  load.work(ms)
  expect([load.isLetIn('placeOrder', 'many'), load.isLetIn('placeOrder', 'few')]).toEqual([many, few])
})

test('an account whose orders are answered has none under way', async () => {
  const load = measured()
  const { promise, resolve } = Promise.withResolvers<void>()
  const answers = Array.from({ length: FIRST }, () => load.shedder.measure('placeOrder', 'ann', 1, () => promise))
  expect(load.isLetIn('placeOrder', 'ann')).toBe(false)
  resolve()
  await Promise.all(answers)
  expect(fill(load, 'bob')).toBe(FIRST)
  expect(load.isLetIn('placeOrder', 'ann')).toBe(true)
})

test('what is no order is never counted', () => {
  const { shedder, letIn } = measured()
  for (let n = 0; n < 2 * FIRST; n++) void shedder.measure('cancelOrder', 'ann', 1, () => new Promise(() => {}))
  expect(letIn()).toEqual(['order', 'book', 'cancel'])
})

test('what other programs take is no work of ours', () => {
  const { letIn, work } = measured()
  letIn()
  work(30, 5000)
  expect(letIn()).toEqual(['order', 'book', 'cancel'])
})

test('the time of the processor is asked for once a turn while turns are short, and no more once the answer is known', () => {
  const { asked, isLetIn, work, nextTurn } = measured()
  for (let n = 0; n < 100; n++) isLetIn('placeOrder')
  expect(asked.processor).toBe(1)
  nextTurn()
  isLetIn('placeOrder')
  work(50)
  for (let n = 0; n < 100; n++) expect(isLetIn('placeOrder')).toBe(false)
  expect(asked.processor).toBe(3)
})

test('status of the venue and own state are served to the last', () => {
  const { isLetIn, work } = measured()
  isLetIn('getTime')
  work(1000)
  const last = [
    ...(['cancelOrder', 'cancelOrderById', 'cancelOrders', 'cancelAll', 'cancelMarketOrders', 'amendOrder', 'cancelAfter'] as const),
    'postPlainHeartbeat' as const,
    ...(['postHeartbeat', 'listOrders', 'getOrder', 'listHolds', 'getBalance', 'pauseVenue', 'cancelOnlyVenue', 'getReadyz'] as const),
  ]
  expect(last.filter((name) => !isLetIn(name))).toEqual([])
  expect((['placeOrder', 'placeOrders', 'replaceOrder', 'splitPosition', 'listMarkets'] as const).filter((name) => isLetIn(name))).toEqual(
    [],
  )
})
