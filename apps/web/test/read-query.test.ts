import { adminEventOperations } from '@augury/wire/platform/admin-events'
import { expect, test } from 'vitest'
import { readQuery } from '../src/lib/server/read-query.ts'

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
