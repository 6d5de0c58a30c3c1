import { readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import type { Command, Hex } from '@augury/engine/command'
import { query } from '@augury/testing/connection'
import { expect, test } from 'vitest'
import { decodeAnnex } from '../src/base/annex.ts'
import { connect, connection } from '../src/base/postgres.ts'
import { FACT_TABLES } from '../src/record/history/facts.ts'
import { FOLD_TABLES, rebuildFolds } from '../src/record/history/folds.ts'
import { checkHolds } from '../src/record/history/follower.ts'
import type { Venue } from '../src/record/venue.ts'
import { address, deposit, id, place, register } from './commands.ts'
import { clobDatabase, startVenue } from './fixture.ts'
import { ACCOUNTS, randomCommands } from './random-commands.ts'

/** Every row of the given tables, as text in a stable order. */
async function contents(url: string, tables: readonly string[]): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  for (const table of tables) found[table] = (await query(url, `select t::text as row from ${table} t order by 1`)).map(({ row }) => row)
  return found
}

/** Submits commands some at a time, so that rows of several sizes come about; returns the ids of the orders. */
async function run(venue: Venue, seed: number, count: number, prefix = ''): Promise<Hex[]> {
  const orders: Hex[] = []
  const commands = [...randomCommands(seed, count, prefix)]
  while (commands.length > 0) {
    await Promise.all(
      commands.splice(0, 40).map((command) => {
        if (command.type === 'place') orders.push(command.orderId)
        return venue.submit(command)
      }),
    )
  }
  return orders
}

/** Waits, longer than a reader would, until history has everything: machines that test are busy. */
const written = ({ readModel, exchange }: Venue) => expect.poll(() => readModel.projectedSeq()).toBeGreaterThanOrEqual(exchange.seq)

test.each([11, 12, 13])('history says the same as the engine (seed %i)', async (seed) => {
  const url = await clobDatabase()
  const venue = await startVenue(url)
  const { exchange, readModel } = venue
  const ids = await run(venue, seed, 400)
  await written(venue)

  const orders = await readModel.orders(ids)
  for (const orderId of ids) {
    const order = exchange.order(orderId)
    if (!order)
      expect(orders.has(orderId)).toBe(false) // refused
    else {
      const {
        endedAt,
        by,
        n: _,
        placedLots,
        ...record
      } = orders.get(orderId) as never as Record<string, unknown> & { endedAt: number | null; placedLots: number; by: unknown }
      expect({ ...record, annex: [...(record.annex as Uint8Array)] }).toEqual({ ...order, annex: [...order.annex] })
      expect(endedAt === null).toBe(order.state === 'live' || order.state === 'partially_filled')
      expect(placedLots).toBeGreaterThanOrEqual(order.lots)
      expect(by).toEqual(decodeAnnex(order.annex))
    }
  }

  let yes = 0
  for (const name of ACCOUNTS) {
    const account = address(name)
    const held = exchange.holdings(account).map(({ condition, outcome, free, held }) => ({ condition, outcome, lots: free + held }))
    const positions = await readModel.positions(account)
    for (const { condition, outcome, lots } of held)
      expect(positions.find((one) => one.outcome === outcome)).toMatchObject({ condition, outcome, lots })
    yes += held.find(({ outcome }) => outcome === 0)?.lots ?? 0
    const entries = (await readModel.ledger(account, { limit: 500, cursor: null })).rows
    const { free, held: onOrders } = exchange.balance(account)
    expect(entries.find(({ asset }) => asset === null)?.balance).toBe(free + onOrders)
  }
  const stats = (await readModel.stats([id('rain')], venue.now())).get(id('rain'))!
  const condition = exchange.condition(id('rain'))!
  expect(stats.openInterest).toBe(condition.locked)
  expect(stats.openInterest).toBe(yes * 10_000)
  const trades = (await readModel.trades({}, { limit: 500, cursor: null })).rows
  expect(stats).toMatchObject({ trades: trades.length, volume: trades.reduce((sum, { price, lots }) => sum + price * lots, 0) })
  expect(stats.volume24h).toBe(stats.volume)
  const { lastTrade } = condition
  expect(stats.lastPrice).toBe(lastTrade?.price ?? null)
})

test('facts are the same whether they were written as it happened, in pieces, or all at once from the journal', async () => {
  const url = await clobDatabase()
  for (const part of ['', 'b', 'c']) {
    const venue = await startVenue(url, { snapshotEvery: 60 })
    await run(venue, 21, 100, part)
    await venue.close()
  }
  const asItHappened = await contents(url, [...FACT_TABLES, ...FOLD_TABLES])
  expect(asItHappened.trade!.length).toBeGreaterThan(20)

  await query(url, `truncate ${[...FACT_TABLES, ...FOLD_TABLES, 'projection'].join(', ')}`)
  const [{ seq: oldest }] = await query(url, 'select min(seq)::int as seq from snapshot')
  const again = await startVenue(url, { snapshotEvery: 60 })
  await written(again)
  expect(await contents(url, [...FACT_TABLES, ...FOLD_TABLES])).toEqual(asItHappened)
  await again.close()
  expect(oldest).toBeGreaterThanOrEqual(107) // those it wrote on its way were older than all that were kept, and went again
  expect(await query(url, 'select count(*)::int as kept from snapshot')).toEqual([{ kept: 3 }])
})

test('folds made anew from facts are the folds that were kept current', async () => {
  const url = await clobDatabase()
  const venue = await startVenue(url)
  await run(venue, 31, 300)
  await venue.close()
  const kept = await contents(url, FOLD_TABLES)
  await query(url, 'update order_state set lots = lots + 1; update position set lots = lots + 1; delete from price_point')

  const client = await connect(connection(url, 'test'))
  const steps: number[] = []
  await rebuildFolds(client, 'main', (seq) => steps.push(seq))
  await client.end()
  expect(steps).toEqual([307])
  expect(await contents(url, FOLD_TABLES)).toEqual(kept)
})

test.each([
  ['are of another release', 'folds = folds + 1'],
  ['were added to by one that knows of none', 'folds_seq = folds_seq - 1'],
])('folds that %s are rebuilt by the next follower', async (_, changed) => {
  const url = await clobDatabase()
  const venue = await startVenue(url)
  await run(venue, 33, 200)
  await venue.close()
  const kept = await contents(url, FOLD_TABLES)
  await query(url, `update position set held_cost = held_cost + 1; delete from price_point; update projection set ${changed}`)

  const isTold = expect.stringContaining('its folds are of another release, and are made anew')
  const again = await startVenue(url)
  await expect.poll(() => contents(url, FOLD_TABLES)).toEqual(kept)
  expect(again.reports.told).toContainEqual(isTold)
  await run(again, 33, 50, 'b')
  await again.close()
  const third = await startVenue(url)
  await run(third, 33, 50, 'c')
  await written(third)
  expect(third.reports.told).not.toContainEqual(isTold)
})

test('a lost connection ends the follower for a moment, and history for none', async () => {
  const url = await clobDatabase()
  const venue = await startVenue(url)
  await run(venue, 41, 60)
  await written(venue) // the thread begins on its own time
  for (const part of ['b', 'c', 'd']) {
    await Promise.all([
      run(venue, 41, 60, part),
      query(
        url,
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like 'augury follower%'`,
      ),
    ])
  }
  await written(venue)
  expect(venue.reports.told.join()).toMatch(/history restarts/)
  await venue.close()
  const asItHappened = await contents(url, [...FACT_TABLES, ...FOLD_TABLES])
  await query(url, `truncate ${[...FACT_TABLES, ...FOLD_TABLES, 'projection'].join(', ')}`)
  const again = await startVenue(url)
  await written(again)
  expect(await contents(url, [...FACT_TABLES, ...FOLD_TABLES])).toEqual(asItHappened)
})

test('history that stands elsewhere than its journal stops the start', async () => {
  const url = await clobDatabase()
  const venue = await startVenue(url)
  await run(venue, 51, 20)
  await venue.close()
  await query(url, `update projection set checksum = decode(repeat('ab', 32), 'hex')`)
  await expect(startVenue(url)).rejects.toThrow(/another one/)
})

/** How far behind others each thread of this process stands where both want a processor. */
const niceness = (): number[] =>
  readdirSync('/proc/self/task').map((thread) => {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
  })

test('history is written by a thread that stands behind the one that answers', async () => {
  const behind = () => niceness().filter((nice) => nice === Math.min(19, getPriority(0) + 5)).length
  const before = behind()
  await run(await startVenue(await clobDatabase()), 52, 1)
  await expect.poll(behind).toBeGreaterThan(before)
})

test('holds that differ from the open orders are noticed', async () => {
  const url = await clobDatabase()
  const venue = await startVenue(url)
  const { exchange } = venue
  for (const command of [register('rain'), deposit('ann', 100), place('a', 'ann', 'BUY', 0, 40, 10)]) await venue.submit(command)
  checkHolds(exchange, address('ann'))
  const balance = () => exchange.balance(address('ann'))
  const nothing = { heldByOrders: () => ({ cash: 0, lots: new Map() }), balance, holdings: () => [] }
  expect(() => checkHolds(nothing, address('ann'))).toThrow(/holds 4000000, its open orders 0/)
})

test('what open orders hold is the same as all of them added up', async () => {
  const url = await clobDatabase()
  const venue = await startVenue(url)
  const { exchange } = venue
  const split: Command = { type: 'split', account: address('ann'), condition: id('rain'), lots: 5000, request: id('split') }
  for (const command of [register('rain'), deposit('ann', 100), split]) await venue.submit(command)
  for (const command of [place('a', 'ann', 'BUY', 0, 40, 10), place('b', 'ann', 'BUY', 1, 30, 5)]) await venue.submit(command)
  for (const command of [place('c', 'ann', 'SELL', 0, 60, 7), place('d', 'ann', 'SELL', 0, 61, 2)]) await venue.submit(command)
  const { cash, lots } = exchange.heldByOrders(address('ann'))
  const open = [...exchange.openOrders(address('ann'))]
  const sum = (side: string, of: (order: (typeof open)[number]) => number) =>
    open.filter((order) => order.side === side).reduce((total, order) => total + of(order), 0)
  expect(open.map(({ side }) => side)).toEqual(['BUY', 'BUY', 'SELL', 'SELL'])
  expect(cash).toBe(sum('BUY', ({ price, remaining }) => price * remaining))
  expect([...lots.values()]).toEqual([sum('SELL', ({ remaining }) => remaining)])
  checkHolds(exchange, address('ann'))
  const less = {
    heldByOrders: () => ({ cash, lots: new Map() }),
    balance: () => exchange.balance(address('ann')),
    holdings: () => exchange.holdings(address('ann')),
  }
  expect(() => checkHolds(less, address('ann'))).toThrow(/holds 900 lots of .*, its open orders 0/)
})

test('an order that was made smaller differs from one that was filled or is as it was asked for', async () => {
  const venue = await startVenue(await clobDatabase())
  const { exchange } = venue
  for (const command of [register('rain'), deposit('ann', 100), deposit('bob', 100)]) await venue.submit(command)
  for (const command of [place('a', 'ann', 'BUY', 0, 40, 10), place('b', 'bob', 'BUY', 1, 60, 4)]) await venue.submit(command)
  expect([exchange.order(id('a'))?.matched, exchange.wasReduced(id('a')), exchange.wasReduced(id('none'))]).toEqual([400, false, false])
  await venue.submit({ type: 'reduce', account: address('ann'), orderId: id('a'), lots: 700 })
  expect([exchange.order(id('a'))?.lots, exchange.wasReduced(id('a'))]).toEqual([700, true])
})

test('a fact that the database refuses stops history loudly, and once it is mended it goes on by itself', async () => {
  const url = await clobDatabase()
  const venue = await startVenue(url, { retryHistoryMs: 200 })
  await venue.submit(register('rain'))
  await written(venue)
  await query(url, 'alter table ledger_entry add constraint too_narrow check (delta <> 7000000)')
  await venue.submit(deposit('ann', 7))
  await expect.poll(() => venue.status().isHistoryStopped).toBe(true)
  const told = () => venue.reports.told.filter((line) => line.startsWith('history stopped at 1 ') && line.includes('too_narrow'))
  await expect.poll(() => told().length).toBeGreaterThan(1)
  expect((await venue.submit(deposit('ann', 1))).seq).toBe(3)
  await query(url, 'alter table ledger_entry drop constraint too_narrow')
  await written(venue)
  expect(venue.status().isHistoryStopped).toBe(false)
})
