import { query, withConnection } from '@augury/testing/connection'
import { expect, test } from 'vitest'
import { withoutDatabase } from '../src/serve/operations/database-away.ts'
import { address, deposit, id, place, register } from './commands.ts'
import { told } from './story.ts'

test('what a command has to know waits for no list, however many ask for lists that take long', async () => {
  const { url, history: read } = await told([[0, [deposit('ann', 1000)]]])
  await withConnection(url, async (client) => {
    await client.query('begin')
    await client.query('lock table position in access exclusive mode')
    let listed = 0
    const lists = Array.from({ length: 20 }, () => read.positions(address('ann')).finally(() => listed++))
    const ids = [id('a')]
    const known = [read.orders(ids), read.ordersByClientId([]), read.transfers(ids), read.tradeIds(ids), read.changedAt(ids)]
    expect(await Promise.all<unknown>(known)).toHaveLength(5)
    expect(listed).toBe(0)
    await client.query('rollback')
    await Promise.all(lists)
  })
  await read.close()
})

test('a list that takes too long is given up, by the database too', async () => {
  const { url, history: read } = await told([[0, [deposit('ann', 1000)]]], 200)
  await withConnection(url, async (client) => {
    await client.query('begin')
    await client.query('lock table position in access exclusive mode')
    const failure = await read.positions(address('ann')).catch(withoutDatabase)
    expect(failure).toMatchObject({ code: 'service_unavailable' })
    // Its backend may be about to end: it never would of itself, as the lock is held until the end of the test.
    const active = async () => {
      const { rows } = await client.query(
        `select 1 from pg_stat_activity where application_name = 'augury history main' and state = 'active' and datname = current_database()`,
      )
      return rows.length
    }
    await expect.poll(active, { timeout: 10_000 }).toBe(0)
    await client.query('rollback')
  })
  await read.close()
})

test('the events of an account arrive soon, however often its order was filled before', async () => {
  const commands = [register('rain'), deposit('ann', 1000), deposit('bob', 1000), place('a', 'ann', 'BUY', 0, 40, 1000)]
  const { url, history: read, exchange } = await told([[0, [...commands, place('b', 'bob', 'BUY', 1, 60, 1)]]], 2000)
  await query(
    url,
    `insert into fill select (jsonb_populate_record(f, jsonb_build_object('seq', f.seq + more, 'lots', 1))).* from fill f, generate_series(1, 40000) more`,
  )
  await query(url, 'vacuum analyze fill')
  const last = exchange.seq + 40_000
  const changes = await read.accountChanges(address('ann'), last - 500, 500)
  expect(changes).toHaveLength(500)
  expect(changes.at(-1)).toMatchObject({ seq: last, orders: [{ kind: 'UPDATE', order: { matched: 40_100, matchedCost: 40_100 * 4000 } }] })
  expect(changes[0]).toMatchObject({ seq: last - 499, orders: [{ order: { matched: 40_100 - 499 } }] })
  await read.close()
})

test('all facts of a command are on one page, however many they are', async () => {
  const { url, history: read } = await told([[0, [register('rain')]]])
  await query(url, `insert into holder_salt (stream, secret) values ('main', '\\x${'01'.repeat(32)}')`)
  await query(
    url,
    `insert into condition_change (stream, seq, n, at, condition_id, change, mode, grid)
     select stream, seq, n + more, at, condition_id, 'mode', mode, grid from condition_change, generate_series(1, 150000) more`,
  )
  expect((await read.facts(0, 10))?.facts).toHaveLength(150_001)
  await read.close()
})
