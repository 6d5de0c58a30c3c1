import { describe, expect, test } from 'vitest'
import { Exchange } from '../src/exchange.ts'
import { copySnapshot, restoreSnapshot, takeSnapshot } from '../src/snapshot.ts'
import { DecodeError } from '../src/words.ts'
import { History, wrong } from './history.ts'

const SEEDS = Array.from({ length: 12 }, (_, seed) => seed)
const ROWS = 250

describe.each(SEEDS)('a random history (SEED=%i)', (seed) => {
  test('conserves money and shares, mirrors its books, and never crosses one', () => {
    const history = new History(seed)
    const exchange = new Exchange()
    exchange.applyRow(history.begin())
    for (let row = 0; row < ROWS; row++) {
      for (const { events } of exchange.applyRow(history.next())) {
        expect(events.length).toBeGreaterThan(0)
        for (const event of events) if (event.type === 'refused') expect(event.code).not.toBe('internal_error')
      }
      expect(wrong(exchange)).toBeNull()
    }
  })

  test('goes on from a snapshot exactly as it would have without', () => {
    const history = new History(seed)
    const exchange = new Exchange()
    exchange.applyRow(history.begin())
    let restored = restoreSnapshot(takeSnapshot(exchange))
    for (let row = 0; row < ROWS; row++) {
      const next = history.next()
      expect(restored.applyRow(next)).toEqual(exchange.applyRow(next))
      if (row % 10 !== 0) continue
      const snapshot = takeSnapshot(exchange)
      expect(Buffer.compare(takeSnapshot(restored), snapshot)).toBe(0)
      restored = restoreSnapshot(snapshot)
      expect(Buffer.compare(takeSnapshot(restored), snapshot)).toBe(0)
      expect(restored.digest()).toBe(exchange.digest())
    }
  })
})

test('a row replayed without listeners leads to the same state', () => {
  const history = new History(5)
  const told = new Exchange()
  const silent = new Exchange()
  for (const row of [history.begin(), ...Array.from({ length: 100 }, () => history.next())]) {
    told.applyRow(row)
    silent.replay(row)
  }
  expect(silent.digest()).toBe(told.digest())
  expect(Buffer.compare(takeSnapshot(silent), takeSnapshot(told))).toBe(0)
})

test('what an order, a holding and a balance are does not depend on how rows were cut', () => {
  const together = new Exchange()
  const apart = new Exchange()
  const history = new History(1)
  for (const row of [history.begin(), history.next(), history.next(), history.next()]) {
    together.applyRow(row)
    const { commands } = row
    for (let at = 0; at < commands.length; ) {
      const length = new DataView(commands.buffer, commands.byteOffset).getUint16(at + 2, true) * 4
      apart.applyRow({ at: row.at, commands: commands.slice(at, at + length) })
      at += length
    }
  }
  expect(apart.digest()).toBe(together.digest())
})

test('the digest tells two histories apart', () => {
  const digests = [1, 2].map((seed) => {
    const history = new History(seed)
    const exchange = new Exchange()
    for (const row of [history.begin(), history.next()]) exchange.applyRow(row)
    return exchange.digest()
  })
  expect(new Set(digests).size).toBe(2)
})

test('a snapshot is copied into the memory it is given when that is large enough', () => {
  const exchange = new Exchange()
  exchange.applyRow(new History(3).begin())
  const fresh = takeSnapshot(exchange)
  const memory = new Uint8Array(new SharedArrayBuffer(fresh.length + 100)).fill(255)
  const copied = takeSnapshot(exchange, memory)
  expect(copied.buffer).toBe(memory.buffer)
  expect(Buffer.compare(copied, fresh)).toBe(0)
})

test('a snapshot copied in pieces is the same, and nothing may be applied in between', () => {
  const history = new History(3)
  const exchange = new Exchange()
  exchange.applyRow(history.begin())
  const whole = takeSnapshot(exchange)
  const copying = copySnapshot(exchange, undefined, 1000)
  let pauses = 0
  let step = copying.next()
  for (; !step.done; step = copying.next()) pauses++
  expect(pauses).toBeGreaterThan(whole.length / 2000)
  expect(Buffer.compare(step.value, whole)).toBe(0)

  const disturbed = copySnapshot(exchange, undefined, 1000)
  disturbed.next()
  exchange.applyRow(history.next())
  expect(() => disturbed.next()).toThrow('was applied')
})

test('bytes that are no snapshot are refused', () => {
  const exchange = new Exchange()
  exchange.applyRow(new History(3).begin())
  const snapshot = takeSnapshot(exchange)
  for (const bytes of [new Uint8Array(0), snapshot.slice(0, -8), Buffer.concat([snapshot, Buffer.alloc(8)]), Buffer.alloc(64)]) {
    expect(() => restoreSnapshot(bytes)).toThrow()
  }
  expect(() => restoreSnapshot(Buffer.alloc(64))).toThrow(DecodeError)
})

test('engine time never goes back', () => {
  const exchange = new Exchange()
  exchange.applyRow({ at: 5, commands: new Uint8Array(0) })
  expect(() => exchange.applyRow({ at: 4, commands: new Uint8Array(0) })).toThrow(RangeError)
})
