import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as limits from '../src/limits.ts'
import { budgetsOfAddress, webBudgets } from '../src/platform/budgets.ts'
import { refusalCodes, refusals } from '../src/refusals.ts'

const guide = (slug: string) => readFileSync(join(import.meta.dirname, `../../../apps/web/src/docs/${slug}.md`), 'utf8')

/** The rows of all tables whose head begins with a word, as cells. */
const rowsOf = (text: string, head: string): string[][] =>
  [...text.matchAll(/(?:^\|.*\n)+/gm)]
    .map(([table]) => table.trimEnd().split('\n'))
    .filter(([first]) => first!.startsWith(`| ${head} |`))
    .flatMap(([, , ...rows]) => rows)
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
const codesIn = (cell: string): string[] => [...cell.matchAll(/`(\w+)`/g)].map(([, code]) => code!)
/** "1 000" as it is written in the guides. */
const written = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ' ')

test('the guide explains every refusal once, with its status', () => {
  const told = rowsOf(guide('refusals'), 'Code').flatMap(([codes, statuses]) => {
    const each = statuses!.split(', ').map(Number)
    return codesIn(codes!).map((code, n) => `${code} ${each.length === 1 ? each[0] : each[n]}`)
  })
  expect(told.toSorted()).toEqual(refusalCodes.map((code) => `${code} ${refusals[code].status}`).toSorted())
})

test('the guide has every rate limit of the site', () => {
  const shared = new Set<string>(Object.values(budgetsOfAddress))
  const own = Object.entries(webBudgets).filter(([name]) => !shared.has(name))
  const told = rowsOf(guide('api-guide'), 'Budget').filter((row) => row.length === 3)
  expect(told.map(([name, , most]) => `${name} ${most}`).toSorted()).toEqual(
    own.map(([name, { limit, seconds }]) => `\`${name}\` ${written(limit)} in ${written(seconds)} s`).toSorted(),
  )
})

test('the guide has the limits of a request, and why sockets are closed', () => {
  const most = new Map(rowsOf(guide('api-guide'), 'What').map(([what, limit]) => [what, limit]))
  expect([...most]).toEqual(
    expect.arrayContaining([
      ['orders in `POST /orders`', written(limits.ORDER_BATCH)],
      ['ids in `DELETE /orders`', written(limits.CANCEL_BATCH)],
      ['tokens in `POST /books` and the other public batches', written(limits.TOKEN_BATCH)],
      ['ids in `POST /data/orders`, markets in `POST /data/volumes`', written(limits.LOOKUP_BATCH)],
      ['markets on a socket of `/ws/market`', written(limits.SOCKET_CONDITIONS)],
      [
        'subscriptions on a socket of tRPC, on all of an address',
        `${written(limits.SOCKET_SUBSCRIPTIONS)}, ${written(limits.ADDRESS_SUBSCRIPTIONS)}`,
      ],
      ['bytes of a body, of a batch', `${written(limits.BODY_LIMIT)}, ${written(limits.BATCH_BODY_LIMIT)}`],
    ]),
  )
  expect(guide('api-guide')).toContain(`pages of ${limits.PAGE}, or of \`limit\`, at most ${limits.PAGE_MAX}`)
  expect(guide('api-guide')).toContain(`\`${limits.LAST_CURSOR}\` says that there is none`)
  expect(rowsOf(guide('api-guide'), 'Closed with').map(([code]) => Number(code))).toEqual(Object.values(limits.CLOSE))
})
