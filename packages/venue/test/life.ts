import type { Command } from '@augury/engine/command'
import { prng } from '@augury/testing/prng'
import { ONE } from '@augury/units/price'
import { address, deposit, id, place, register } from './commands.ts'

export const PEOPLE = ['ann', 'bob', 'cid', 'dee', 'eve', 'fay', 'creator']
export const ANSWERS = ['east', 'west', 'north', 'south']
export const CONDITIONS = [...ANSWERS, 'rain']
export const EVENT = id('event')
/** Whose trades pay a part of their fee to whom. */
const REFERRED = [
  ['ann', 'fay'],
  ['bob', 'fay'],
  ['cid', 'ann'],
] as const

/**
 * A life of an event and a plain condition: every way in which money and shares change hands, until all is resolved and some of it paid. `rows`
 * are those before and after the first resolution.
 */
export function* life(seed: number, rows: readonly [number, number] = [40, 15]): Generator<[number, Command[]]> {
  const { integer, pick, chance } = prng(seed)
  const terms = () => ({ feeBps: pick([0, 37, 700]), rebateBps: pick([0, 2000, 3333]), affiliateBps: pick([0, 1000, 6667]) })
  yield [0, ANSWERS.map((name) => register(name, { ...terms(), event: { id: EVENT, size: ANSWERS.length } }))]
  yield [0, [register('rain', terms())]]
  yield [0, PEOPLE.map((name) => deposit(name, 1_000))]
  yield [
    0,
    REFERRED.map(([name, by]) => ({
      ...{ type: 'set_account', account: address(name), referrer: address(by), tier: null, stpGroup: null, banned: null },
    })),
  ]
  const ways: (() => Command)[] = [...Array.from({ length: 12 }, () => order), split, split, merge, convert, convert, out, back, feeChange]
  let n = 0
  let outs = 0
  const who = () => address(pick(PEOPLE))
  const next = () => id(`${seed} ${n++}`)
  function order(): Command {
    const side = pick(['BUY', 'BUY', 'SELL'] as const)
    const orderType = pick(['GTC', 'GTC', 'FAK'] as const)
    const byBudget = orderType === 'FAK' && side === 'BUY' && chance(0.5)
    const size = byBudget ? { lots: 0, budget: integer(10_000, 40_000_000) } : { lots: integer(1, 5000) }
    const through = {
      deployment: pick([null, address('cid'), address('eve')]),
      selfTrade: chance(0.1) ? ('none' as const) : ('expire_maker' as const),
    }
    const name = pick(CONDITIONS)
    return place(`${seed} order ${n++}`, pick(PEOPLE), side, pick([0, 1] as const), integer(30, 70), 1, {
      ...{ condition: id(name), orderType, ...size, ...through },
    })
  }
  function split(): Command {
    return { type: 'split', account: who(), condition: id(pick(CONDITIONS)), lots: integer(1, 9_000), request: next() }
  }
  function merge(): Command {
    return { type: 'merge', account: who(), condition: id(pick(CONDITIONS)), lots: integer(1, 2_000), request: next() }
  }
  function convert(): Command {
    const conditions = ANSWERS.filter(() => chance(0.4)).map(id)
    return { type: 'convert', account: who(), event: EVENT, conditions, lots: integer(1, 1_000), request: next() }
  }
  function out(): Command {
    return { type: 'withdraw', account: who(), amount: integer(1, 20_000_000), ref: id(`${seed} out ${outs++}`) }
  }
  function back(): Command {
    return { type: 'end_withdrawal', ref: id(`${seed} out ${integer(0, outs)}`), outcome: pick(['settled', 'returned']) }
  }
  function feeChange(): Command {
    return { type: 'set_condition', condition: id(pick(CONDITIONS)), mode: null, grid: null, feeBps: integer(0, 1000) }
  }
  let minute = 1
  function* busy(rows: number): Generator<[number, Command[]]> {
    for (let row = 0; row < rows; row++) yield [minute++, Array.from({ length: integer(1, 12) }, () => pick(ways)())]
  }
  function* ends(name: string, weight: number): Generator<[number, Command[]]> {
    yield [
      minute++,
      [
        { type: 'set_condition', condition: id(name), mode: 'closed', grid: null, feeBps: null },
        { type: 'sweep', limit: 10_000 },
      ],
    ]
    yield [minute++, [{ type: 'resolve', condition: id(name), weight }]]
    yield [minute++, [{ type: 'redeem', account: who(), condition: id(name), request: next() }]]
    yield [minute++, [{ type: 'redeem_all', condition: id(name), limit: integer(0, 3) }]]
  }
  yield* busy(rows[0])
  yield* ends('east', 0) // one answer is out; the others go on, and convert among themselves
  yield* busy(rows[1])
  yield* ends('rain', pick([0, 5000, 3333, ONE]))
  const west = integer(0, ONE)
  const north = integer(0, ONE - west)
  yield* ends('west', west)
  yield* ends('south', ONE - west - north)
  yield* ends('north', north)
}
