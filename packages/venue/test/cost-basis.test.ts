import { encodeCommand } from '@augury/engine/codec'
import type { Hex, Outcome } from '@augury/engine/command'
import { Exchange } from '@augury/engine/exchange'
import { ONE } from '@augury/units/price'
import { expect, test } from 'vitest'
import { applyMove, CostBasis, type Move } from '../src/record/history/cost-basis.ts'
import { profitOf } from '../src/serve/views/position-view.ts'
import { address, id } from './commands.ts'
import { FoldedEvents } from './folded-events.ts'
import { ANSWERS, CONDITIONS, life, PEOPLE } from './life.ts'
import { MINUTE, NOON } from './story.ts'

const HISTORIES = 10_000
const BATCH = 500

/** Plays a short history through the engine and folds its events. */
function played(seed: number) {
  const exchange = new Exchange()
  const folded = new FoldedEvents(exchange)
  for (const [minute, commands] of life(seed, [6, 4])) {
    const firstSeq = exchange.seq + 1
    const outcomes = exchange.applyRow({
      ...{ firstSeq, lastSeq: exchange.seq + commands.length, at: NOON + minute * MINUTE },
      commands: Buffer.concat(commands.map(encodeCommand)),
    } as never)
    for (const { events } of outcomes) folded.add(events)
  }
  return { exchange, folded }
}

test.each(Array.from({ length: HISTORIES / BATCH }, (_, n) => n))(
  'profit is value and what was withdrawn, less deposits (batch %i)',
  (batch) => {
    const seen = { merged: 0, converted: 0, realised: 0 }
    for (let seed = batch * BATCH; seed < (batch + 1) * BATCH; seed++) {
      const { exchange, folded } = played(seed)
      const prices = new Map(CONDITIONS.map((name, n) => [id(name), n === 1 ? null : (1_000 + ((seed * 37 + n * 1_777) % 8_000)) / ONE]))
      for (const name of PEOPLE) {
        const account = address(name)
        const { free, held } = exchange.balance(account)
        const sums = { value: 0, unrealised: 0, realised: 0 }
        for (const { condition, outcome, basis } of folded.of(account)) {
          const yes = prices.get(condition)!
          const price = yes === null ? null : outcome === 0 ? yes : 1 - yes
          const { lots, cost: heldCost, sums: done } = basis
          const profit = profitOf({ lots, heldCost, ...done }, price)
          expect(heldCost, `seed ${seed}`).toBeGreaterThanOrEqual(0)
          if (lots === 0) expect(heldCost).toBe(0)
          for (const part of ['value', 'unrealised', 'realised'] as const) sums[part] += profit[part]
          seen.merged += done.mergedLots
          seen.converted += done.convertedLots
        }
        const profit = sums.realised + sums.unrealised + folded.rewards(account)
        expect(profit, `seed ${seed}, ${name}`).toBe(free + held + sums.value - folded.paidIn(account))
        const lots = folded.of(account).flatMap(({ basis }) => (basis.lots > 0 ? [basis.lots] : []))
        const holdings = exchange.holdings(account).flatMap(({ free, held }) => (free + held > 0 ? [free + held] : []))
        expect(lots.sort(), `seed ${seed}, ${name}`).toEqual(holdings.sort())
      }
      // Nothing is made of nothing: what all realised, hold at cost and received is what they paid in and what trading moved among them.
      seen.realised += folded.unsold
    }
    expect(seen.merged).toBeGreaterThan(0)
    expect(seen.converted).not.toBe(0)
    expect(seen.realised).toBe(0)
  },
)

const rain = id('rain')
const ann = address('ann')

/** Positions after some moves: cost and profit by condition and outcome. */
function after(...moves: Record<string, unknown>[]) {
  const bases = new Map<string, CostBasis>()
  const of = (condition: Hex, outcome: Outcome) => {
    const key = `${condition} ${outcome}`
    const known = bases.get(key) ?? new CostBasis()
    bases.set(key, known)
    return known
  }
  for (const move of moves) applyMove({ seq: 1, account: ann, condition: rain, outcome: 0, fee: 0, ...move } as Move, of)
  return [...bases.values()].map(({ lots, cost, sums }) => [lots, cost, sums.realised])
}
const buy = (outcome: Outcome, lots: number, usdc: number, fee = 0) => ({ kind: 'BUY', outcome, lots, usdc, fee })
const merge = (lots: number) => ({ kind: 'merge', lots, usdc: 5_000 * lots })

test.each([
  [
    'bought and merged to the last: the difference is realised',
    [buy(0, 100, 300_000), buy(1, 100, 600_000), merge(100)],
    [0, 0, 200_000],
    [0, 0, -100_000],
  ],
  [
    'what a half costs beyond its share stays with the other',
    [buy(0, 100, 300_000), buy(1, 50, 300_000), merge(50)],
    [50, 100_000, 0],
    [0, 0, 0],
  ],
  ['what a half lacks comes from the other', [buy(0, 100, 900_000), buy(1, 100, 80_000), merge(50)], [50, 480_000, 0], [50, 0, 0]],
  ['money beyond all cost is realised', [buy(0, 100, 10_000), buy(1, 100, 20_000), merge(50)], [50, 0, 235_000], [50, 0, 235_000]],
  [
    'fees are cost',
    [buy(0, 100, 300_000, 6_000), { kind: 'SELL', lots: 50, usdc: 150_000, fee: 3_000 }, buy(1, 1, 1)],
    [50, 153_000, -6_000],
    [1, 1, 0],
  ],
  ['a void pays half', [buy(0, 100, 300_000), buy(1, 1, 1), { kind: 'redeem', lots: 100, usdc: 500_000 }], [0, 0, 200_000], [1, 1, 0]],
])('%s', (_, moves, yes, no) => {
  expect(after(...moves)).toEqual([yes, no])
})

test('a conversion moves the cost of the No, less the money, evenly to the Yes that come', () => {
  const [a, b, c, d] = ANSWERS.map(id)
  const legs = [a, b]
    .map((condition) => ({ condition, outcome: 1, lots: -100 }))
    .concat([c, d].map((condition) => ({ condition, outcome: 0, lots: 100 })))
  const bought = [a, b].map((condition) => ({ ...buy(1, 100, 750_001), condition }))
  expect(after(...bought, { kind: 'convert', legs, usdc: 1_000_000 })).toEqual([
    [0, 0, 0],
    [0, 0, 0],
    [100, 250_001, 0],
    [100, 250_001, 0],
  ])
  const cheap = [a, b].map((condition) => ({ ...buy(1, 100, 300_000), condition }))
  expect(after(...cheap, { kind: 'convert', legs, usdc: 1_000_000 })).toEqual([
    [0, 0, 200_000],
    [0, 0, 200_000],
    [100, 0, 0],
    [100, 0, 0],
  ])
})
