import { encodeRow } from '@augury/engine/codec'
import type { Command } from '@augury/engine/command'
import { Exchange } from '@augury/engine/exchange'
import { expect, test } from 'vitest'
import { FactWriter } from '../src/facts.ts'
import type { JournalRow } from '../src/journal.ts'
import { deposit, id, place, register } from './commands.ts'

const fee = (feeBps: number): Command => ({ type: 'set_condition', condition: id('rain'), mode: null, grid: null, feeBps })
const traded = (name: string): Command[] => [place(`${name} bid`, 'ann', 'BUY', 0, 40, 10), place(`${name} ask`, 'bob', 'BUY', 1, 60, 10)]

test('a trade has the fee of its market at its place in the row, not the one that the row ends with', () => {
  const exchange = new Exchange()
  const writer = new FactWriter('main', (condition) => exchange.condition(condition)?.feeBps ?? 0)
  const apply = (at: number, ...commands: Command[]) => {
    const row = { commands: encodeRow(commands), at } as JournalRow
    const firstSeq = exchange.seq + 1
    writer.before(row)
    const outcomes = exchange.applyRow(row)
    writer.add(row, { firstSeq, lastSeq: exchange.seq, at, outcomes })
  }
  apply(1, register('rain', { feeBps: 0 }), deposit('ann', 100), deposit('bob', 100), ...traded('new'), fee(100), ...traded('hundred'))
  apply(2, ...traded('still'), fee(200), ...traded('two'), fee(300), ...traded('three'))
  apply(3, ...traded('later'))
  expect(writer.take().trade.map(({ fee_bps }) => fee_bps)).toEqual([0, 100, 100, 200, 300, 300])
})
