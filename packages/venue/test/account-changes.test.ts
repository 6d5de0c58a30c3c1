import type { Command } from '@augury/engine/command'
import { expect, test } from 'vitest'
import { type AccountChange, accountChanges } from '../src/record/history/account-changes.ts'
import { address, id, place } from './commands.ts'
import { clobDatabase, startVenue } from './fixture.ts'
import { ACCOUNTS, randomCommands } from './random-commands.ts'

const SELF_TRADE = ['expire_maker', 'expire_taker', 'expire_both', 'decrement'] as const

/** Also with every way of meeting oneself, with replaces, and with fees that change in the middle of a row. */
function* commandsOf(seed: number): Generator<Command> {
  let n = 0
  for (const command of randomCommands(seed, 500)) {
    n++
    if (n % 23 === 0) yield { type: 'set_condition', condition: id('rain'), mode: null, grid: null, feeBps: n }
    if (command.type !== 'place') yield command
    else if (n % 9 === 0) {
      const order = place(`other ${n}`, ACCOUNTS[n % ACCOUNTS.length]!, 'BUY', 0, 50, 10)
      yield { type: 'replace', cancel: id(`${n - 20}`), requireCancel: false, onlyIf: 'any', place: { ...order, account: command.account } }
    } else yield { ...command, selfTrade: SELF_TRADE[n % SELF_TRADE.length]! }
  }
}

/** As it may be compared: bytes as numbers, orders of one command in one order. */
const plain = ({ orders, ...change }: AccountChange) => ({
  ...change,
  orders: orders
    .map(({ kind, order }) => ({ kind, order: { ...order, annex: [...order.annex] } }))
    .toSorted((a, b) => (a.order.orderId + a.kind < b.order.orderId + b.kind ? -1 : 1)),
  trades: change.trades.map((trade) => ({ ...trade })),
})

test.each([21, 22, 23])('history tells of an account what its stream told, word by word (seed %i)', async (seed) => {
  const venue = await startVenue(await clobDatabase())
  const told: AccountChange[] = []
  venue.onRow((row) => told.push(...accountChanges(row, venue.exchange, () => true)))
  const commands = [...commandsOf(seed)]
  while (commands.length > 0) await Promise.all(commands.splice(0, 60).map((command) => venue.submit(command)))
  await expect.poll(() => venue.readModel.projectedSeq()).toBeGreaterThanOrEqual(venue.exchange.seq)

  for (const name of ACCOUNTS) {
    const live = told.filter(({ account }) => account === address(name))
    expect(live.length).toBeGreaterThan(20)
    const read: AccountChange[] = []
    for (let isMore = true; isMore; ) {
      const page = await venue.readModel.accountChanges(address(name), read.at(-1)?.seq ?? 0, 37)
      read.push(...page)
      isMore = page.length > 0
    }
    expect(read.map(plain)).toEqual(live.map(plain))
  }
})
