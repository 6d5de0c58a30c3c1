import type { Command, Hex } from '@augury/engine/command'
import { prng } from '@augury/testing/prng'
import { ONE } from '@augury/units/price'
import { expect, onTestFinished, test } from 'vitest'
import type { Movement } from '../src/history/read-accounts.ts'
import type { LedgerRecord } from '../src/history/read-model.ts'
import { account as accountOf } from '../src/views/position-view.ts'
import { address, deposit, id, place, register } from './commands.ts'
import { told } from './story.ts'

const PEOPLE = ['ann', 'bob', 'cid', 'dee', 'eve', 'fay', 'creator']
const ANSWERS = ['east', 'west', 'north', 'south']
const CONDITIONS = [...ANSWERS, 'rain']
const EVENT = id('event')
/** Whose trades pay a part of their fee to whom. */
const REFERRED = [
  ['ann', 'fay'],
  ['bob', 'fay'],
  ['cid', 'ann'],
] as const

/** A life of an event and a plain condition: every way in which money and shares change hands, until all is resolved and some of it paid. */
function* life(seed: number): Generator<[number, Command[]]> {
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
  const ways: (() => Command)[] = [
    ...Array.from({ length: 12 }, () => order),
    ...[split, split, merge, convert, convert, out, back, feeChange],
  ]
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
  yield* busy(40)
  yield* ends('east', 0) // one answer is out; the others go on, and convert among themselves
  yield* busy(15)
  yield* ends('rain', pick([0, 5000, 3333, ONE]))
  const west = integer(0, ONE)
  const north = integer(0, ONE - west)
  yield* ends('west', west)
  yield* ends('south', ONE - west - north)
  yield* ends('north', north)
}

/** What a movement did to the cash of whoever it is of. */
function cashOf({ type, side, usdc, fee }: Movement): number {
  const isSpent = (type === 'TRADE' && side === 'BUY') || type === 'SPLIT' || type === 'WITHDRAWAL'
  return (isSpent ? -usdc : usdc) - fee
}

const CHANGING = ['trade', 'split', 'merge', 'convert', 'redeem']

test.each([1, 2, 3, 4, 5, 6, 7, 8])('what is told of everybody adds up to what they have (seed %i)', async (seed) => {
  const { history, exchange } = await told(life(seed))
  onTestFinished(() => history.close())
  let converted = 0
  for (const name of PEOPLE) {
    const account: Hex = address(name)
    const { free, held } = exchange.balance(account)
    const entries: LedgerRecord[] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { rows, next } = await history.ledger(account, { limit: 500, cursor: cursor ?? null })
      entries.push(...rows)
      cursor = next
    }
    const cash = entries.filter(({ asset }) => asset === null)
    expect(
      cash.reduce((sum, { delta }) => sum + delta, 0),
      `${name}: the ledger`,
    ).toBe(free + held)
    converted += entries.filter(({ reason }) => reason === 'convert').length

    const moved = await history.movements(account, {}, { limit: 20_000, offset: 0 })
    expect(
      moved.reduce((sum, movement) => sum + cashOf(movement), 0),
      `${name}: activity`,
    ).toBe(free + held)

    const gains = (await history.positions(account)).map(accountOf).reduce((sum, { realized, initial }) => sum + realized - initial, 0)
    const flow = cash.filter(({ reason }) => CHANGING.includes(reason)).reduce((sum, { delta }) => sum + delta, 0)
    expect(gains, `${name}: gains`).toBe(flow)
  }
  expect(converted).toBeGreaterThan(0)
})
