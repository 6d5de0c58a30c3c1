import type { Command, Hex } from '@augury/engine/command'
import { expect, onTestFinished, test } from 'vitest'
import type { Context } from '../src/serve/operations/context.ts'
import { getProfitHistory } from '../src/serve/operations/get-profit-history.ts'
import { listLeaders } from '../src/serve/operations/list-leaders.ts'
import { getValue, listClosedPositions, listPositions } from '../src/serve/operations/list-positions.ts'
import { address, id } from './commands.ts'
import { CONDITIONS, life, PEOPLE } from './life.ts'
import { MINUTE, NOON, told } from './story.ts'

const anonymous = null as never

/** The first rows of a life: many of its positions are open then. */
function* begun(seed: number, rows: number): Generator<[number, Command[]]> {
  let left = rows
  for (const row of life(seed)) {
    if (left-- === 0) return
    yield row
  }
}

/** What use cases need of a service over a told history. */
function contextOf({ history, exchange }: Awaited<ReturnType<typeof told>>, now = exchange.at + 1): Context {
  const market = (condition: Hex) => ({
    ...{ condition, tokens: [`${condition}y`, `${condition}n`], outcomes: ['Yes', 'No'], questionSlug: condition, endTime: null },
    metadata: { question: condition, icon: '', event: { slug: '', tags: [] } },
  })
  return {
    exchange,
    wallets: { accountOf: (account: Hex) => account },
    markets: { market, count: CONDITIONS.length, page: () => CONDITIONS.map(id).map(market) },
    venue: { now: () => now, readModel: history },
  } as unknown as Context
}

const micros = (amount: number): number => Math.round(amount * 1e6)
const sum = <Row>(rows: readonly Row[], of: (row: Row) => number): number => rows.reduce((added, row) => added + micros(of(row)), 0)
const page = { sizeThreshold: 0, sortDirection: 'DESC', limit: 500, offset: 0, market: undefined, title: undefined }

test.each([
  [11, 20],
  [12, 30],
  [13, 45],
  [14, 52],
  [15, 60],
  [16, 1_000],
])('everything that tells a profit tells the same, which is what cash says (seed %i, %i rows)', async (seed, rows) => {
  const lived = await told(begun(seed, rows))
  onTestFinished(() => lived.history.close())
  const ctx = contextOf(lived)
  const boards = await Promise.all(
    ['ALL', 'DAY'].map((timePeriod) =>
      listLeaders(ctx, anonymous, { query: { category: 'OVERALL', timePeriod, orderBy: 'PNL', limit: 50, offset: 0 } } as never),
    ),
  )
  let some = 0
  for (const name of PEOPLE) {
    const user = address(name)
    const { free, held } = lived.exchange.balance(user)
    const moved = await lived.history.movements(user, { types: ['DEPOSIT', 'WITHDRAWAL'] }, { limit: 20_000, offset: 0 })
    const paidIn = moved.reduce((added, { type, usdc }) => added + (type === 'DEPOSIT' ? usdc : -usdc), 0)
    const [value] = await getValue(ctx, anonymous, { query: { user } } as never)
    const open = await listPositions(ctx, anonymous, { query: { user, ...page, sortBy: 'TOKENS' } } as never)
    const closed = await listClosedPositions(ctx, anonymous, { query: { user, ...page, sortBy: 'REALIZEDPNL' } } as never)
    const chart = await getProfitHistory(ctx, anonymous, { query: { user, points: 30 } } as never)
    const truth = free + held + sum(open, ({ currentValue }) => currentValue) - paidIn
    const surfaces = {
      value: micros(value!.profit),
      parts: micros(value!.cashPnl) + micros(value!.realizedPnl),
      table: sum(open, ({ cashPnl }) => cashPnl) + sum([...open, ...closed], ({ realizedPnl }) => realizedPnl) + micros(value!.rewards),
      chart: micros(chart.at(-1)!.profit),
    }
    expect(surfaces, name).toEqual({ value: truth, parts: truth, table: truth, chart: truth })
    expect(micros(chart[0]!.profit), `${name}: before the first deposit`).toBe(0)
    for (const board of boards) {
      const place = board.find(({ proxyWallet }) => proxyWallet.toLowerCase() === user)
      if (place) expect(micros(place.pnl), `${name}: the board`).toBe(truth)
      if (open.length + closed.length > 0 && truth !== micros(value!.rewards)) expect(place, `${name} has a place`).toBeDefined()
    }
    some += Math.abs(truth)
  }
  expect(some).toBeGreaterThan(0)
})

const DAY = 24 * 60 * MINUTE
const at = (minute: number) => NOON + minute * MINUTE
/** Markets that have neither an order nor a trade before minute 25. */
const QUIET = new Set(['east', 'north', 'rain'].map(id))

/** A life until some minute, with shares without a price yet. */
function* quiet(seed: number, until: number): Generator<[number, Command[]]> {
  for (const [minute, commands] of life(seed)) {
    if (minute >= until) return
    const some = commands.filter((command) => command.type !== 'place' || minute >= 25 || !QUIET.has(command.condition))
    if (some.length > 0) yield [minute, some]
  }
}

test.each([
  [21, 20, 8],
  [22, 24, 16],
  [23, 35, 12],
  [24, 44, 24],
  [25, 70, 20],
])('a profit of the past is what was told then, also of shares without a price (seed %i, minutes %i and %i)', async (seed, until, past) => {
  const lives = [await told(quiet(seed, past)), await told(quiet(seed, until))] as const
  onTestFinished(async () => void (await Promise.all(lives.map(({ history }) => history.close()))))
  const [then, now] = [contextOf(lives[0], at(past)), contextOf(lives[1], at(until))]
  const query = { category: 'OVERALL', timePeriod: 'DAY', orderBy: 'PNL', limit: 50, offset: 0 }
  const board = await listLeaders(contextOf(lives[1], at(past) + DAY), anonymous, { query } as never)
  let unpriced = 0
  for (const name of PEOPLE) {
    const user = address(name)
    const chart = await getProfitHistory(now, anonymous, { query: { user, points: until + 1, startTs: NOON / 1000 } } as never)
    const [before] = await getValue(then, anonymous, { query: { user } } as never)
    const [after] = await getValue(now, anonymous, { query: { user } } as never)
    expect(micros(chart[past]!.profit), `${name}: the chart`).toBe(micros(before!.profit))
    const place = board.find(({ proxyWallet }) => proxyWallet.toLowerCase() === user)
    if (place) expect(micros(place.pnl), `${name}: the board`).toBe(micros(after!.profit) - micros(before!.profit))
    unpriced += before!.unpricedValue
  }
  expect(unpriced).toBeGreaterThan(0)
})
