import type { Command } from '@augury/engine/command'
import { expect, onTestFinished, test } from 'vitest'
import { address, deposit, id, place, register } from './commands.ts'
import { told } from './story.ts'

const rain = id('rain')
let n = 0

/** Ann buys or sells Yes of Bob, who has plenty of both, in cents and shares. */
const trade = (side: 'BUY' | 'SELL', cents: number, size: number): Command[] => [
  place(`bob ${++n}`, 'bob', side === 'BUY' ? 'SELL' : 'BUY', 0, cents, size),
  place(`ann ${n}`, 'ann', side, 0, cents, size),
]
const change = (type: 'split' | 'merge', lots: number): Command[] => [
  { type, account: address('ann'), condition: rain, lots, request: id(`${type} ${++n}`) },
]

/** What Ann's Yes cost and brought after some commands: lots, what they cost, what that of the lots that left was, and profit and fees. */
async function annAfter(feeBps: number, ...commands: Command[][]) {
  const { history } = await told([
    [0, [register('rain', { feeBps }), deposit('ann', 1_000), deposit('bob', 10_000)]],
    [0, [{ type: 'split', account: address('bob'), condition: rain, lots: 500_000, request: id('bob splits') }]],
    ...commands.map((row, minute): [number, Command[]] => [minute + 1, row]),
  ])
  onTestFinished(() => history.close())
  const { lots, heldCost, goneCost, realised, fees } = (await history.positions(address('ann'))).find(({ outcome }) => outcome === 0)!
  return [lots, heldCost, goneCost, realised, fees]
}
const round: Command[][] = Array.from({ length: 3 }, () => [trade('BUY', 50, 100), trade('SELL', 50, 100)]).flat()

test.each([
  [
    'what was sold before says nothing of what is held',
    [trade('BUY', 20, 100), trade('SELL', 50, 100), trade('BUY', 60, 100)],
    [10_000, 60_000_000, 20_000_000, 30_000_000, 0],
  ],
  [
    'what came later changes no profit that was made before',
    [trade('BUY', 20, 100), trade('SELL', 50, 50), trade('BUY', 60, 50)],
    [10_000, 40_000_000, 10_000_000, 15_000_000, 0],
  ],
  [
    'a split that is merged again leaves the cost of what was bought, and realises nothing',
    [trade('BUY', 60, 100), change('split', 10_000), change('merge', 10_000)],
    [10_000, 60_000_000, 50_000_000, 0, 0],
  ],
  [
    'the same of shares below half a dollar, in parts',
    [trade('BUY', 20, 100), change('split', 10_000), change('merge', 3_333), change('merge', 6_667)],
    [10_000, 20_000_000, 50_000_000, 0, 0],
  ],
  [
    'a merge takes what one half lacks from the other, as far as it has shares left',
    [trade('BUY', 90, 100), trade('SELL', 90, 50), change('split', 10_000), change('merge', 14_000)].slice(0, 3),
    [15_000, 95_000_000, 45_000_000, 0, 0],
  ],
  [
    'the last share takes all that is left of the cost along',
    [trade('BUY', 33, 0.01), trade('BUY', 34, 0.02), trade('SELL', 50, 0.01), trade('SELL', 50, 0.02)],
    [0, 0, 10_100, 4_900, 0],
  ],
])('%s', async (_, commands, figures) => {
  expect(await annAfter(0, ...commands)).toEqual(figures)
})

test('three round trips at one price lose exactly their fees', async () => {
  // A fee of 2 % of 100 shares at 0.50, as the curve has it, for each of six trades.
  const [lots, cost, , realised, fees] = await annAfter(200, ...round)
  expect([lots, cost, realised]).toEqual([0, 0, -fees!])
  expect(fees).toBeGreaterThan(0)
})

test('a fee is part of the cost of what was bought', async () => {
  const [lots, cost, , realised, fees] = await annAfter(200, trade('BUY', 50, 100))
  expect([lots, cost, realised]).toEqual([10_000, 50_000_000 + fees!, 0])
})

const ANSWERS = ['east', 'west', 'north', 'south']
const own = { account: address('ann'), lots: 10_000 }
const inEvent = (type: 'split' | 'merge', name: string): Command => ({ type, ...own, condition: id(name), request: id(`${type} ${++n}`) })
const converted = (...names: string[]): Command => ({
  ...{ type: 'convert', ...own, event: id('event'), conditions: names.map(id), request: id(`convert ${++n}`) },
})
const ends = (name: string, weight: number): Command[] => [
  { type: 'set_condition', condition: id(name), mode: 'closed', grid: null, feeBps: null },
  { type: 'sweep', limit: 100 },
  { type: 'resolve', condition: id(name), weight },
]

/** Ann's positions in an event of four, each `answer outcome: cost of what is held in cents a share, gain in dollars`. */
async function inEventAfter(...commands: Command[]): Promise<string[]> {
  const { history } = await told([
    [0, [...ANSWERS.map((name) => register(name, { feeBps: 0, event: { id: id('event'), size: 4 } })), deposit('ann', 1_000)]],
    [1, commands],
  ])
  onTestFinished(() => history.close())
  const records = (await history.positions(address('ann'))).map((record) => {
    const { lots, heldCost, realised } = record
    const name = ANSWERS.find((answer) => id(answer) === record.condition)
    return `${name} ${record.outcome === 0 ? 'Yes' : 'No'}: ${lots ? Number((heldCost / lots / 100).toFixed(4)) : 'none'}, ${realised / 1_000_000}`
  })
  return records.sort()
}

test.each([
  ['a pair of four answers costs a quarter and the rest', [inEvent('split', 'east')], ['east No: 75, 0', 'east Yes: 25, 0']],
  [
    'all Yes that are made of a pair cost what the pair did, and nothing is gained by making them',
    [inEvent('split', 'east'), converted('east')],
    ['east No: none, 0', 'east Yes: 25, 0', 'north Yes: 25, 0', 'south Yes: 25, 0', 'west Yes: 25, 0'],
  ],
  [
    'what two No cost, less the dollar they give, is the cost of the Yes that come',
    [inEvent('split', 'east'), inEvent('split', 'west'), converted('east', 'west')],
    ['east No: none, 0', 'east Yes: 25, 0', 'north Yes: 25, 0', 'south Yes: 25, 0', 'west No: none, 0', 'west Yes: 25, 0'],
  ],
  [
    'where no Yes comes, what all No give is realised',
    [...ANSWERS.map((name) => inEvent('split', name)), converted(...ANSWERS)],
    ANSWERS.flatMap((name) => [`${name} No: none, 0`, `${name} Yes: 25, 0`]).sort(),
  ],
  [
    'a pair that is merged brings what it cost',
    [inEvent('split', 'east'), inEvent('merge', 'east')],
    ['east No: none, 0', 'east Yes: none, 0'],
  ],
  [
    'answers that are out count no more',
    [...ends('south', 0), inEvent('split', 'east'), ...ends('west', 0), inEvent('split', 'north')],
    ['east No: 66.6667, 0', 'east Yes: 33.3333, 0', 'north No: 50, 0', 'north Yes: 50, 0'],
  ],
  [
    'what is left of a dollar is shared by those that are open',
    [...ends('south', 4_000), inEvent('split', 'east')],
    ['east No: 80, 0', 'east Yes: 20, 0'],
  ],
])('%s', async (_, commands, positions) => {
  expect(await inEventAfter(...commands)).toEqual(positions)
})
