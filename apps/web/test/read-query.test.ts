import { adminEventOperations } from '@augury/wire/platform/admin-events'
import { ServiceError } from '@augury/wire/service-error'
import { expect, test } from 'vitest'
import { readList, readQuery } from '../src/lib/server/read-query.ts'

const usual = { limit: 50, offset: 0, search: '', sortOrder: 'desc', activeOnly: false, attention: false }

test.each([
  ['', {}],
  ['?search=&sortOrder=&activeOnly=', {}],
  ['?search=rain&sortOrder=asc&activeOnly=true', { search: 'rain', sortOrder: 'asc', activeOnly: true }],
  ['?search=rain&sortOrder=up&activeOnly=maybe', { search: 'rain' }],
  [`?search=${'x'.repeat(201)}&offset=x`, {}],
])('an admin page at %s has what of its query can be read', (query, read) => {
  expect(readQuery(adminEventOperations.adminEvents, new URL(`https://site.test/admin/events${query}`))).toEqual({ ...usual, ...read })
})

test.each([
  ['?search=rain&sortBy=title', { search: 'rain', sortBy: 'title' }],
  ['?search=rain&sortBy=mood', { search: 'rain' }],
])('a list at %s is in an order that it knows', async (query, read) => {
  const list = async ({ sortBy }: { sortBy?: string | undefined }) => {
    if (sortBy === 'mood') throw new ServiceError('invalid_sort_by')
    return sortBy ?? 'usual'
  }
  const at = new URL(`https://site.test/admin/events${query}`)
  expect(await readList(adminEventOperations.adminEvents, at, list)).toEqual({
    query: { ...usual, ...read },
    list: 'sortBy' in read ? read.sortBy : 'usual',
  })
})
