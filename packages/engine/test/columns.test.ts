import { fc } from '@augury/testing/properties'
import { expect, test } from 'vitest'
import { Arena } from '../src/arena.ts'
import { DueHeap } from '../src/due-heap.ts'
import { KeyIndex } from '../src/key-index.ts'
import { Ladder } from '../src/ladder.ts'
import { OrderStore } from '../src/order-store.ts'
import { RequestLog } from '../src/request-log.ts'

const keyOf = (n: number): Uint32Array => Uint32Array.from({ length: 8 }, (_, i) => (i === 7 ? n : 0))

test('an index finds what was inserted and not removed, as a map would', () => {
  const step = fc.record({ insert: fc.boolean(), n: fc.nat(60) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      const index = new KeyIndex(8)
      const model = new Map<number, number>()
      let rows = 0
      for (const { insert, n } of steps) {
        const key = keyOf(n)
        expect(index.find(key, 0)).toBe(model.get(n) ?? 0)
        if (insert && !model.has(n)) {
          rows++
          while (rows >= index.keys.length / 8) index.grow()
          index.insert(rows, key, 0)
          model.set(n, rows)
        } else if (!insert && model.has(n)) {
          index.remove(model.get(n)!)
          model.delete(n)
        }
      }
      for (let n = 0; n <= 60; n++) expect(index.find(keyOf(n), 0)).toBe(model.get(n) ?? 0)
    }),
  )
})

test('a heap gives what is due first, then what is older, and takes out anything', () => {
  const step = fc.record({ item: fc.integer({ min: 1, max: 40 }), time: fc.nat(5) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const places = new Map<number, number>()
      const heap = new DueHeap({ place: (item) => places.get(item) ?? 0, setPlace: (item, place) => places.set(item, place) })
      const model: { item: number; time: number; age: number }[] = []
      steps.forEach(({ item, time }, age) => {
        const known = model.findIndex((other) => other.item === item)
        if (known >= 0) {
          heap.remove(item)
          model.splice(known, 1)
        } else {
          heap.push(time, age, item)
          model.push({ item, time, age })
        }
        model.sort((a, b) => a.time - b.time || a.age - b.age)
        expect(heap.size).toBe(model.length)
        if (model.length > 0) expect(heap.item[1]).toBe(model[0]!.item)
      })
    }),
  )
})

test('a ladder keeps queues in order and finds the next level, as sorted lists would', () => {
  const step = fc.record({
    n: fc.integer({ min: 1, max: 30 }),
    level: fc.integer({ min: 1, max: 399 }),
    lots: fc.integer({ min: 1, max: 9 }),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 150 }), fc.constantFrom(25, 5, 1), (steps, factor) => {
      const orders = new OrderStore()
      const slots = Array.from({ length: 31 }, (_, n) => orders.insert(keyOf(n), 0))
      let ladder = new Ladder(25)
      const model: { slot: number; level: number; lots: number }[] = []
      for (const { n, level, lots } of steps) {
        const slot = slots[n]!
        const known = model.findIndex((order) => order.slot === slot)
        if (known >= 0) {
          ladder.remove(orders, slot, model[known]!.level)
          model.splice(known, 1)
        } else {
          orders.open(slot, 1, 1, 0, level, lots)
          ladder.append(orders, slot, level, level < 200)
          model.push({ slot, level, lots })
        }
      }
      ladder = ladder.refined(25 / factor)
      const levels = [...new Set(model.map((order) => order.level * factor))].sort((a, b) => a - b)
      const seen: number[] = []
      for (let level = ladder.above(0); level < ladder.size; level = ladder.above(level)) seen.push(level)
      expect(seen).toEqual(levels)
      const back: number[] = []
      for (let level = ladder.below(ladder.size); level > 0; level = ladder.below(level)) back.push(level)
      expect(back).toEqual(levels.toReversed())
      expect(ladder.bestBid).toBe(Math.max(0, ...levels.filter((level) => level < 200 * factor)))
      expect(ladder.bestAsk).toBe(Math.min(ladder.size, ...levels.filter((level) => level >= 200 * factor)))
      for (const level of levels) {
        const queue = model.filter((order) => order.level * factor === level)
        const slotsAt: number[] = []
        for (let slot = ladder.head[level]!; slot !== 0; slot = orders.next(slot)) slotsAt.push(slot)
        expect(slotsAt).toEqual(queue.map((order) => order.slot))
        expect(ladder.lots[level]).toBe(queue.reduce((sum, order) => sum + order.lots, 0))
      }
      expect(ladder.orders).toBe(model.length)
    }),
  )
})

test('an arena never gives the same words twice at one time, and uses freed ones again', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 47 }), { maxLength: 100 }), (lengths) => {
      const arena = new Arena()
      const owners = new Map<number, number>()
      const runs: { at: number; length: number }[] = []
      lengths.forEach((length, n) => {
        if (n % 3 === 2) {
          const { at, length: freed } = runs.shift()!
          for (let word = at; word < at + freed; word++) owners.delete(word)
          arena.release(at, freed)
        }
        const at = arena.allocate(length)
        for (let word = at; word < at + length; word++) {
          expect(owners.has(word)).toBe(false)
          owners.set(word, n)
        }
        runs.push({ at, length })
      })
      const { used } = arena
      for (const { at, length } of runs) arena.release(at, length)
      for (const { length } of runs) arena.allocate(length)
      expect(arena.used).toBe(used)
    }),
  )
})

test('a request id is known for its period to the millisecond', () => {
  const log = new RequestLog(100)
  log.add(keyOf(1), 0, 1_000)
  expect(log.has(keyOf(1), 0, 1_099)).toBe(true)
  expect(log.has(keyOf(1), 0, 1_100)).toBe(false)
  log.add(keyOf(1), 0, 1_100)
  expect(log.has(keyOf(1), 0, 1_199)).toBe(true)
  for (let n = 2; n < 200; n++) log.add(keyOf(n), 0, 1_100 + n)
  expect(log.used).toBeLessThan(110)
  expect(log.has(keyOf(199), 0, 1_300)).toBe(true)
})
