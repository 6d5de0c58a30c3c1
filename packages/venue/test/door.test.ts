import type { VenueOperationName } from '@augury/wire/operations/venue'
import { expect, test } from 'vitest'
import { Door } from '../src/door.ts'

const KINDS = { order: 'placeOrder', book: 'getBooks', cancel: 'cancelOrder' } as const

/** A door whose figures a test sets, and which kinds it lets in. */
function measured() {
  const figures = { now: 0, processor: 0, queued: 0 }
  const turns: (() => void)[] = []
  const asked = { processor: 0 }
  const door = new Door({
    now: () => figures.now,
    processor() {
      asked.processor++
      return figures.processor
    },
    queued: () => figures.queued,
    afterTurn: (call) => turns.push(call),
  })
  const isLetIn = (name: VenueOperationName) => {
    try {
      door.admit(name)
      return true
    } catch (error) {
      expect(error).toMatchObject({ status: 503, code: 'overloaded', retryAfter: 1 })
      return false
    }
  }
  return {
    ...{ figures, asked, isLetIn },
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

/** Turns in a row of so many milliseconds of work after somebody was let in. */
function turns({ letIn, work, nextTurn }: ReturnType<typeof measured>, count: number, ms: number) {
  for (let n = 0; n < count; n++) {
    letIn()
    work(ms)
    nextTurn()
  }
}

test.each([
  [5, 40, 19, ['order', 'book', 'cancel']],
  [5, 40, 20, ['book', 'cancel']],
  [20, 10, 20, ['book', 'cancel']],
  [20, 10, 60, ['cancel']],
  [20, 10, 1999, ['cancel']],
  [4, 40, 39, ['order', 'book', 'cancel']], // a burst, not a crowd that stands
  [1000, 9, 39, ['order', 'book', 'cancel']], // busy, but nobody waits for the turn after the next
])('after %i turns of %i ms each, one that has worked for %i ms lets in %j', (count, each, ms, expected) => {
  const door = measured()
  turns(door, count, each)
  expect(door.letIn()).toEqual(['order', 'book', 'cancel'])
  door.work(ms)
  expect(door.letIn()).toEqual(expected)
})

test.each<[string, (door: ReturnType<typeof measured>) => void]>([
  ['brings few', (door) => turns(door, 1, 9)],
  ['brings nobody', ({ nextTurn }) => nextTurn()],
])('a crowd is gone with a turn that %s', (_, pass) => {
  const door = measured()
  turns(door, 10, 40)
  pass(door)
  door.letIn()
  door.work(39)
  expect(door.letIn()).toEqual(['order', 'book', 'cancel'])
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

test('the safety of the venue, and where somebody stands, are asked for to the last', () => {
  const { isLetIn, work } = measured()
  isLetIn('getTime')
  work(1000)
  const last = [
    ...(['cancelOrder', 'cancelOrderById', 'cancelOrders', 'cancelAll', 'cancelMarketOrders', 'amendOrder', 'cancelAfter'] as const),
    ...(['postHeartbeat', 'listOrders', 'getOrder', 'listHolds', 'getBalance', 'pauseVenue', 'cancelOnlyVenue', 'getReadyz'] as const),
  ]
  expect(last.filter((name) => !isLetIn(name))).toEqual([])
  expect((['placeOrder', 'placeOrders', 'replaceOrder', 'splitPosition', 'listMarkets'] as const).filter(isLetIn)).toEqual([])
})
