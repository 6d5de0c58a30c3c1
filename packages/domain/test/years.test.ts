import { query } from '@augury/testing/connection'
import { migratedDatabase } from '@augury/testing/database'
import { expect, test } from 'vitest'
import { migrateClob } from '../src/clob/database.ts'
import { Migration20261126071000_years } from '../src/clob/migrations/Migration20261126071000_years.ts'

const record = (endTime: string, deadlineAt: string | null, start: string | null, end: string | null) => ({
  endTime,
  metadata: { event: { title: 'an event', start_date: start, end_date: end } },
  resolution: { status: null, deadlineAt },
})
const [first, last, usual] = ['1000-01-01T00:00:00.000Z', '9998-12-31T23:59:59.999Z', '2027-01-01T00:00:00Z']

test.each([
  ['usual', record(usual, null, null, usual), record(usual, null, null, usual)],
  ['late', record('9999-12-31T00:00:00.000Z', usual, usual, '9999-12-31T23:59:59-01:00'), record(last, usual, usual, last)],
  ['later', record('+010000-01-01T00:00:00.000Z', '9999-06-01T00:00:00Z', null, null), record(last, last, null, null)],
  ['early', record('0999-12-31T23:00:00.000Z', null, '0000-01-01T00:00:00Z', usual), record(first, null, first, usual)],
  ['earlier', record('-000001-12-31T23:00:00.000Z', null, null, null), record(first, null, null, null)],
])('the times of a %s market can be read by everybody after the migration', async (_, before, after) => {
  const url = await migratedDatabase('clob', migrateClob)
  await query(
    url,
    `insert into condition_metadata (condition_id, creator, record, content)
     values ('\\x${'11'.repeat(32)}', '\\x${'22'.repeat(20)}', '${JSON.stringify(before)}', '\\x${'33'.repeat(32)}')`,
  )
  const migration = new Migration20261126071000_years(null as never, null as never)
  migration.up()
  for (const statement of migration.getQueries()) await query(url, String(statement))
  expect(await query(url, 'select record from condition_metadata')).toEqual([{ record: after }])
})
