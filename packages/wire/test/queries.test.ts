import { expect, test } from 'vitest'
import type { Operation } from '../src/operation.ts'
import { dataOperations } from '../src/operations/data.ts'
import { parse } from '../src/parse.ts'
import { adminOperations } from '../src/platform/admin-operations.ts'
import { platformOperations } from '../src/platform/operations.ts'
import { querySchema } from '../src/query.ts'

const { listLeaders } = dataOperations
const operations = { ...platformOperations, ...adminOperations, listLeaders } as Readonly<Record<string, Operation>>
const read = (name: string, query: object) => parse(querySchema(operations[name]!), query)
/** What a call has to give. */
const needed = { event: 'rain' }

test.each([
  ['listEvents', 'bookmarked', ['maybe', '1', ['true', 'true']]],
  ['eventActivity', 'filterAmount', ['abc', '-1', '00', '3.', '1e3', ['1', '2']]],
  ['listComments', 'sort', ['foo', 'oldest']],
  ['adminUsers', 'sortOrder', ['up', 'descending']],
  ['adminEvents', 'activeOnly', ['maybe']],
  ['adminEvents', 'attention', ['0']],
  ['adminComments', 'reported', ['on']],
  ['adminDashboard', 'days', ['abc', '0', '367', '1.5']],
])('%s refuses a %s that cannot be read and names it; one that is empty was left out', (name, key, unreadable) => {
  for (const value of unreadable)
    expect(() => read(name, { ...needed, [key]: value }), String(value)).toThrow(
      expect.objectContaining({ code: 'invalid_payload', details: [{ path: key, problem: expect.any(String) }] }),
    )
  expect(read(name, { ...needed, [key]: '' })).toEqual(read(name, needed))
})

test.each([
  ['listEvents', 'tag'],
  ['listEvents', 'mainTag'],
  ['relatedEvents', 'tag'],
  ['adminAuditLog', 'action'],
  ['adminSyncRuns', 'job'],
  ['adminDeadLetters', 'job'],
  ['listLeaders', 'category'],
])('%s with an empty %s asks for what it asks for without one, not for what nothing has', (name, key) => {
  expect(read(name, { [key]: '' })).toEqual(read(name, {}))
})

test.each([
  ['listEvents', 'bookmarked', 'TRUE', true],
  ['listEvents', 'bookmarked', false, false],
  ['eventActivity', 'filterAmount', '0.5', '0.5'],
  ['listComments', 'sort', 'likes', 'likes'],
  ['adminUsers', 'sortOrder', 'ASC', 'asc'],
  ['adminDashboard', 'days', '366', 366],
])('%s reads %s=%s', (name, key, sent, value) => {
  expect(read(name, { ...needed, [key]: sent })).toMatchObject({ [key]: value })
})
