import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { OPEN_ORDERS_BY_TIER } from '@augury/engine/accounts'
import { END_REASONS, STATES } from '@augury/engine/order-terms'
import { MAX_ORDER_LOTS } from '@augury/units/lots'
import type { VenueOperation } from '@augury/wire/operation'
import { venueOperations } from '@augury/wire/operations/venue'
import { selfTrade } from '@augury/wire/order-body'
import { expect, test } from 'vitest'
import { BUDGETS, TIERS, type Tier } from '../src/serve/access/budgets.ts'

const guide = (slug: string) => readFileSync(join(import.meta.dirname, `../../../apps/web/src/docs/${slug}.md`), 'utf8')
const orders = guide('orders')

/** The rows of the table whose head begins with a cell, as cells. */
function rowsOf(text: string, head: string): string[][] {
  const table = [...text.matchAll(/(?:^\|.*\n)+/gm)].map(([rows]) => rows).find((rows) => rows.startsWith(`| ${head} |`))!
  const [, , ...rows] = table.trimEnd().split('\n')
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}
const word = (cell: string) => /`(\w+)`/.exec(cell)?.[1]
/** "1 000" as it is written in the guides. */
const written = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ' ')

test('the guide has every state of an order', () => {
  expect(rowsOf(orders, '`state`').map(([state]) => word(state!))).toEqual([...STATES])
})

test('the guide has every reason why an order ends, but those that the engine never gives', () => {
  const unused = new Set(['pause', 'resolved'])
  const told = rowsOf(orders, '`cancel_reason`').map(([reason]) => word(reason!))
  expect(told.toSorted()).toEqual(END_REASONS.filter((reason) => reason !== null && !unused.has(reason)).toSorted())
})

test('the guide has what becomes of two orders of one owner', () => {
  const forEverybody = selfTrade.options.filter((choice) => choice !== 'none') // that takes a key of an operator
  expect(rowsOf(orders, '`stp`').map(([choice]) => word(choice!))).toEqual(forEverybody)
})

test('the guide has the limits of an order', () => {
  const mostOf = (tier: Tier) => written(OPEN_ORDERS_BY_TIER[TIERS.indexOf(tier)]!)
  const limits = new Map(rowsOf(orders, 'What').map(([what, limit]) => [what, limit]))
  expect(limits.get('open orders of an account')).toBe(
    `${mostOf('standard')}; a market maker's ${mostOf('maker')}, a large one's ${mostOf('large_maker')}`,
  )
  expect(limits.get('size of any order')).toBe(`at most ${written(MAX_ORDER_LOTS / 100)} shares`)
})

test('the guide has every rate limit of the exchange, and whom it counts', () => {
  const rows = Object.values<VenueOperation>(venueOperations)
  const by = new Map(rows.flatMap(({ rateLimit }) => (rateLimit ? [[BUDGETS[rateLimit.budget].name, rateLimit.of]] : [])))
  expect(rowsOf(guide('api-guide'), 'Budget').map(([name, , of, most]) => [name, of, most])).toEqual(
    Object.values(BUDGETS).map(({ name, limit, seconds }) => [`\`${name}\``, by.get(name), `${written(limit)} in ${seconds} s`]),
  )
})
