import { query } from '@augury/testing/connection'
import { expect, test } from 'vitest'
import type { ReadModel } from '../src/record/history/read-model.ts'
import { address, deposit, id, place, register } from './commands.ts'
import { told } from './story.ts'

const MORE = 5000

/** More rows than twenty-one look-ups read, some of them while there are only twenty; one that reads all reads five times as many. */
const FEW = 1000

/** Makes copies of an order in history, with ids and names of their own. */
async function grow(url: string, from: number, to: number): Promise<void> {
  const copy = (table: string) =>
    query(
      url,
      `insert into ${table} select (jsonb_populate_record(original, jsonb_build_object('seq', original.seq + 1000 + copy, 'client_order_id', 'bot-' || copy,
         'order_id', sha256(copy::text::bytea)))).*
       from ${table} original, generate_series(${from}, ${to}) copy where original.order_id = '\\x${id('a').slice(2)}'`,
    )
  await copy('placement')
  await copy('order_state')
}

/** How many rows of both tables all connections have read so far. */
async function rowsRead(url: string): Promise<number> {
  const [sum] = await query<{ read: number }>(
    url,
    `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::float8 as read from pg_stat_user_tables where relname in ('placement', 'order_state')`,
  )
  return sum!.read
}

/** Resolves when no reader is connected: a connection's counts are complete when it has ended. */
const alone = (url: string) =>
  expect
    .poll(() => query(url, `select from pg_stat_activity where datname = current_database() and application_name like 'augury history%'`))
    .toEqual([])

const bot = (n: number) => ({ account: address('ann'), clientOrderId: `bot-${n}` })

test.each<[string, (read: ReadModel) => Promise<{ size: number }>]>([
  ['names', (read) => read.ordersByClientId([bot(1), bot(MORE + 1)])],
  ['one name', (read) => read.ordersByClientId([bot(1)])],
  ['ids', (read) => read.orders([id('a'), id('unknown')])],
  ['many ids', (read) => read.orders(Array.from({ length: 300 }, (_, n) => (n === 0 ? id('a') : id(`unknown-${n}`))))],
  ['when orders changed', (read) => read.changedAt([id('a')])],
  ['trades of an order', (read) => read.tradeIds([id('a')])],
])('%s are looked up by index, even if the database planned that when there were few', async (_, lookUp) => {
  const commands = [register('rain'), deposit('ann', 1000), deposit('bob', 1000), place('a', 'ann', 'BUY', 0, 40, 10)]
  const { url, history: read } = await told([[0, [...commands, place('b', 'bob', 'BUY', 1, 60, 1)]]], 2000)
  // Often enough for the database to plan once for all that come.
  for (let n = 0; n < 10; n++) await lookUp(read)
  await grow(url, 1, 20)
  await query(url, 'analyze placement, order_state')
  for (let n = 0; n < 10; n++) await lookUp(read)
  await grow(url, 21, MORE)
  const before = await rowsRead(url)
  const { size } = await lookUp(read)
  expect(size).toBe(1)
  await read.close()
  await alone(url)
  expect((await rowsRead(url)) - before).toBeLessThan(FEW)
})
