import type { Hex } from '@augury/engine/command'
import { query, withConnection } from '@augury/testing/connection'
import { ONE } from '@augury/units/price'
import { expect, onTestFinished, test } from 'vitest'
import { connect, connection } from '../src/base/postgres.ts'
import { FOLD_TABLES, fold, foldRest } from '../src/record/history/folds.ts'
import type { Movement } from '../src/record/history/read-accounts.ts'
import type { LedgerRecord } from '../src/record/history/read-ledger.ts'
import { profitOf } from '../src/serve/views/position-view.ts'
import { address, id } from './commands.ts'
import { CONDITIONS, life, PEOPLE } from './life.ts'
import { MINUTE, NOON, told } from './story.ts'

/** Returns the change of an account's cash by a movement. */
function cashOf({ type, side, usdc, fee }: Movement): number {
  const isSpent = (type === 'TRADE' && side === 'BUY') || type === 'SPLIT' || type === 'WITHDRAWAL'
  return (isSpent ? -usdc : usdc) - fee
}

const sumOf = <Row>(rows: readonly Row[], of: (row: Row) => number): number => rows.reduce((sum, row) => sum + of(row), 0)

/** Engine time when about half of a life is over. */
const HALFWAY = NOON + 30 * MINUTE
/** What changes cash and is no profit. */
const PAID_IN = ['deposit', 'withdraw', 'withdraw_returned']

test.each([1, 2, 3, 4, 5, 6, 7, 8])('the activity of every account adds up to its balance (seed %i)', async (seed) => {
  const { history, exchange } = await told(life(seed))
  onTestFinished(() => history.close())
  let converted = 0
  const shares = await history.affiliateShares(0, 100_000)
  const totals = await history.totalsOf(PEOPLE.map(address))
  const halves = new Map(CONDITIONS.map((name, n) => [id(name), 3_001 * (n + 1)]))
  const boards = await Promise.all(
    [null, HALFWAY].map(async (since) => ({ since, rows: await history.standings(halves, since, 'profit', 100) })),
  )
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

    const trades = moved.filter(({ type }) => type === 'TRADE')
    const told = { volume: sumOf(trades, ({ usdc }) => usdc), trades: new Set(trades.map(({ seq, n }) => `${seq}-${n}`)).size }
    expect(totals.get(account) ?? { volume: 0, trades: 0 }, `${name}: totals`).toEqual(told)
    const rewards = sumOf([...(await history.rewards(account)).values()], (amount) => amount)
    const positions = await history.positions(account)
    for (const { since, rows } of boards) {
      const volume = sumOf(
        trades.filter(({ at }) => at > (since ?? 0)),
        ({ usdc }) => usdc,
      )
      const standing = rows.find((each) => each.account === account) ?? { volume: 0, profit: 0 }
      expect(standing.volume, `${name}: standing since ${since}`).toBe(volume)
      if (since !== null) continue
      const profit = positions.map((position) => {
        const half = halves.get(position.condition)!
        const { realised, unrealised } = profitOf(position, (position.outcome === 0 ? half : 2 * ONE - half) / (2 * ONE))
        return realised + unrealised
      })
      expect(standing.profit, `${name}: profit of the board`).toBe(sumOf(profit, (each) => each) + rewards)
    }
    expect(
      sumOf(
        shares.filter(({ referrer }) => referrer === account),
        ({ amount }) => amount,
      ),
      `${name}: rewards`,
    ).toBe(
      sumOf(
        cash.filter(({ reason }) => reason === 'affiliate'),
        ({ delta }) => delta,
      ),
    )

    const flow = sumOf(
      cash.filter(({ reason }) => !PAID_IN.includes(reason)),
      ({ delta }) => delta,
    )
    expect(sumOf(positions, ({ realised, heldCost }) => realised - heldCost) + rewards, `${name}: profit`).toBe(flow)
  }
  expect(converted).toBeGreaterThan(0)

  const ids = CONDITIONS.map(id)
  const stats = await history.stats(ids, exchange.at)
  for (const condition of ids) {
    const { locked, supply } = exchange.condition(condition)!
    const holders = await Promise.all([history.holders(condition, 0, 100), history.holders(condition, 1, 100)])
    expect(stats.get(condition)).toMatchObject({ openInterest: locked, holders: holders.flat().length })
    expect(holders.map((each) => sumOf(each, ({ lots }) => lots))).toEqual([supply.yes, supply.no])
    const { rows, next } = await history.trades({ conditions: [condition] }, { limit: 500, cursor: null })
    expect(next).toBe(null)
    expect(stats.get(condition)).toMatchObject({ volume: sumOf(rows, ({ price, lots }) => price * lots), trades: rows.length })
  }
})

test('folds are the same when they are made in many steps', async () => {
  const { history, url } = await told(life(5))
  onTestFinished(() => history.close())
  const folds = () => Promise.all(FOLD_TABLES.map((table) => query(url, `select * from ${table} row order by row`)))
  const first = await folds()
  const [{ last }] = await query(url, 'select projected_seq::int as last from projection')
  await withConnection(url, async (client) => {
    await client.query(`begin; ${FOLD_TABLES.map((table) => `delete from ${table}`).join(';')}`)
    for (let seq = 0; seq < last; seq += 7) await fold(client, 'main', seq, Math.min(last, seq + 7))
    await client.query('commit')
  })
  expect(await folds()).toEqual(first)
})

test('folds of another version are made anew', async () => {
  const { history, url } = await told(life(6))
  onTestFinished(() => history.close())
  const folds = () => Promise.all(FOLD_TABLES.map((table) => query(url, `select * from ${table} row order by row`)))
  const first = await folds()
  await query(url, 'update position set held_cost = 5000 * lots; update projection set folds = 2')
  const client = await connect(connection(url, 'test'))
  await foldRest(client, 'main')
  await client.end()
  expect(await folds()).toEqual(first)
})
