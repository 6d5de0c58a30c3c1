import { query } from '@augury/testing/connection'
import { createDatabase } from '@augury/testing/database'
import { eventually } from '@augury/testing/eventually'
import { expect, test } from 'vitest'
import { followNotices } from '../src/notices.ts'

test('a connection on which nobody can listen is let go of', async () => {
  const databaseUrl = await createDatabase('notices')
  await expect(followNotices(databaseUrl, { 'not a channel': async () => {} }, () => {})).rejects.toThrow('syntax error')
  const others = `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`
  await eventually(async () => expect(await query(databaseUrl, others)).toEqual([]))
})
