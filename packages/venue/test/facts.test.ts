import { encodeRow } from '@augury/engine/codec'
import type { Command } from '@augury/engine/command'
import { Exchange } from '@augury/engine/exchange'
import { expect, test } from 'vitest'
import { accountChanges } from '../src/record/history/account-changes.ts'
import { FactWriter } from '../src/record/history/facts.ts'
import type { JournalRow } from '../src/record/log/journal.ts'
import { marketChanges } from '../src/serve/streams/market-changes.ts'
import { lastTradePrice } from '../src/serve/streams/market-messages.ts'
import { address, deposit, id, place, register } from './commands.ts'

const fee = (feeBps: number): Command => ({ type: 'set_condition', condition: id('rain'), mode: null, grid: null, feeBps })
const traded = (name: string): Command[] => [place(`${name} bid`, 'ann', 'BUY', 0, 40, 10), place(`${name} ask`, 'bob', 'BUY', 1, 60, 10)]

test('a trade has, in history and in streams, the fee of its market at its place in the row, not the one that the row ends with', () => {
  const exchange = new Exchange()
  const writer = new FactWriter('main')
  const told = { account: [] as number[], market: [] as unknown[] }
  const apply = (at: number, ...commands: Command[]) => {
    const row = { commands: encodeRow(commands), at } as JournalRow
    const firstSeq = exchange.seq + 1
    const applied = { firstSeq, at, outcomes: exchange.applyRow(row), lastSeq: exchange.seq }
    writer.add(row, applied)
    for (const { trades } of accountChanges(applied, exchange, (account) => account === address('ann')))
      told.account.push(...trades.map(({ feeBps }) => feeBps))
    const scene = { condition: id('rain'), tokens: ['yes', 'no'] as const, top: exchange.depth(id('rain'), 0, 10), at }
    for (const fill of marketChanges(applied).get(id('rain'))?.fills ?? []) told.market.push(lastTradePrice(scene, fill).fee_rate_bps)
  }
  apply(1, register('rain', { feeBps: 0 }), deposit('ann', 100), deposit('bob', 100), ...traded('new'), fee(100), ...traded('hundred'))
  apply(2, ...traded('still'), fee(200), ...traded('two'), fee(300), ...traded('three'))
  apply(3, ...traded('later'))
  const fees = [0, 100, 100, 200, 300, 300]
  expect(writer.take().trade.map(({ fee_bps }) => fee_bps)).toEqual(fees)
  expect(told).toEqual({ account: fees, market: fees.map(String) })
})
