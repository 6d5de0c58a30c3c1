import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { compatQuery } from '../src/compat-names.ts'
import type { Operation } from '../src/operation.ts'
import { venueOperations } from '../src/operations/venue.ts'
import { adminOperations } from '../src/platform/admin-operations.ts'
import { platformOperations } from '../src/platform/operations.ts'
import { platformPageQueries } from '../src/platform/page-queries.ts'
import { querySchema } from '../src/query.ts'
import { refusalCodes } from '../src/refusals.ts'

const rows = Object.entries(venueOperations) as [string, Operation][]

describe('the table of operations', () => {
  test('has one row per method and path', () => {
    const routes = rows.map(([, row]) => `${row.method} ${row.path}`)
    expect(new Set(routes).size).toBe(routes.length)
  })

  test('has every route that the interface names', () => {
    const routes = rows.map(([, row]) => `${row.method} ${row.path}`)
    expect(routes).toEqual(
      expect.arrayContaining([
        'DELETE /order',
        'POST /spreads',
        'POST /books',
        'POST /last-trades-prices',
        'GET /data/orders',
        'POST /orders',
        'DELETE /orders/{id}',
        'GET /orderbook',
        'GET /markets',
        'GET /trades',
      ]),
    )
  })

  test.each(rows)('%s has its parameters, refusals and a summary', (_, row) => {
    const named = [...row.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
    expect(Object.keys(row.params ? (row.params as z.ZodObject).shape : {})).toEqual(named)
    for (const code of row.refusals) expect(refusalCodes).toContain(code)
    expect(row.summary).toMatch(/^[A-Z].*\.$/)
    expect(row.method === 'GET' ? row.body : undefined).toBeUndefined()
  })

  test.each(rows)('%s can be converted to JSON Schema', (_, row) => {
    for (const schema of [row.params, querySchema(row), row.body].filter((given) => given !== undefined)) {
      expect(z.toJSONSchema(schema, { io: 'input' })).toBeTypeOf('object')
    }
    expect(z.toJSONSchema(row.output, { io: 'output' })).toBeTypeOf('object')
  })

  test.each(rows.filter(([, row]) => row.auth !== 'public'))('%s refuses a query key it does not know', (_, row) => {
    const known = { asset_type: 'COLLATERAL', ids: '1', order_id: '0x12', address: `0x${'11'.repeat(20)}` }
    const shape = (row.query as z.ZodObject | undefined)?.shape ?? {}
    const given = Object.fromEntries(Object.entries(known).filter(([key]) => key in shape))
    expect(querySchema(row).safeParse({ ...given, signature_type: '0', geo_block_token: 'x' }).success).toBe(true)
    expect(querySchema(row).safeParse({ ...given, surprise: '1' }).success).toBe(false)
  })

  test('a public route refuses a query key that it does not know, also one without a query', () => {
    const refused = querySchema(venueOperations.getBook).safeParse({ token_id: '1', surprise: '1' })
    expect(JSON.stringify(refused.error?.issues)).toContain('surprise')
    expect(JSON.stringify(querySchema(venueOperations.getTime).safeParse({ surprise: '1' }).error?.issues)).toContain('surprise')
  })

  test('below /compat it is ignored, and the names that clients are known to send mean what they say', () => {
    const read = (name: 'getBook' | 'listTrades' | 'followCatalogueMarkets' | 'getPriceHistory', query: object) =>
      compatQuery(name, venueOperations[name]).parse(query)
    expect(read('getBook', { asset_id: '1', surprise: '1' })).toEqual({ token_id: '1' })
    const id = `0x${'12'.repeat(32)}`
    expect(read('listTrades', { conditionId: id, token_id: '7' })).toMatchObject({ market: [id], asset_id: '7' })
    expect(read('followCatalogueMarkets', { cursor: 'x', condition_id: id })).toMatchObject({ after_cursor: 'x', condition_ids: [id] })
    expect(read('getPriceHistory', { token_id: '7', start_ts: '1' })).toEqual({ market: '7', startTs: 1 })
    expect(read('getBook', { token_id: '1', asset_id: '2' })).toEqual({ token_id: '1' })
  })
})

test.each([
  [undefined, 100],
  ['', 100],
  ['20', 20],
  ['500', 500],
])('a limit of %j is %i', (sent, limit) => {
  expect(venueOperations.listTrades.query.parse({ limit: sent }).limit).toBe(limit)
})

test.each(['0', '-5', '501', '1e9', 'x', '2.9'])('a limit of %j is refused with its bounds, never shortened', (limit) => {
  const problem = venueOperations.listTrades.query.safeParse({ limit }).error?.issues[0]
  expect(problem).toMatchObject({ path: ['limit'] })
  expect(JSON.stringify(problem)).toMatch(/at least 1|at most 500|from 1 to 500/)
})

test('a bound that is empty is refused, as it is not 0', () => {
  const { query } = venueOperations.listCatalogueEvents
  expect(query.parse({ volume_max: '0' })).toMatchObject({ volume_max: 0 })
  expect(query.safeParse({ volume_max: '' }).success).toBe(false)
})

test('repeated and comma-separated keys are one list', () => {
  const { query } = venueOperations.getLastTradesPrices
  expect(query.parse({ token_id: ['1', '2,3'] })).toEqual({ token_id: ['1', '2', '3'] })
  expect(query.safeParse({ token_id: Array(501).fill('1') }).success).toBe(false)
})

test('no search text has a NUL, which PostgreSQL refuses', () => {
  const { listEvents, searchUsers, relatedEvents } = platformOperations
  for (const [query, sent] of [
    [listEvents.query, { search: 'a\0' }],
    [listEvents.query, { tag: '\0' }],
    [listEvents.query, { mainTag: '\0' }],
    [relatedEvents.query, { tag: '\0' }],
    [searchUsers.query, { search: '\0\0' }],
  ] as const) {
    expect(query.safeParse(sent).success).toBe(false)
    expect(query.safeParse({}).success).toBe(true)
  }
})

test('a problem with a text is described in words, never by a pattern', () => {
  const all: [string, Operation][] = Object.entries({
    ...platformOperations,
    ...platformPageQueries,
    ...adminOperations,
    ...venueOperations,
  })
  const bodies = all.flatMap(([name, { body }]) => (body instanceof z.ZodObject ? [[name, body] as const] : []))
  const told = bodies.flatMap(([name, body]) =>
    Object.keys(body.shape).flatMap((key) =>
      (body.safeParse({ [key]: '?\u0000' }).error?.issues ?? []).map(({ path, message }) => `${name}.${path.join('.')}: ${message}`),
    ),
  )
  expect(told.length).toBeGreaterThan(100)
  expect(told.filter((text) => text.includes('pattern'))).toEqual([])
})

test('a key of scope read can change nothing but revoke itself', () => {
  const reads = rows.filter(([, { auth, method }]) => auth === 'read' && method !== 'GET').map(([name]) => name)
  expect(reads).toEqual(['lookUpOrders', 'deleteKey', 'getOrdersScoring'])
})

test('every change by members has a budget, except marks on existing rows', () => {
  const all: [string, Operation][] = Object.entries({ ...platformOperations, ...platformPageQueries })
  const free = all.flatMap(([name, { auth, method, budget }]) => (auth === 'member' && method !== 'GET' && !budget ? [name] : []))
  expect(free).toEqual(['addBookmark', 'removeBookmark', 'markNotification', 'markAllNotifications', 'cancelWithdrawal'])
})
