import { query } from '@augury/testing/connection'
import { createDatabase } from '@augury/testing/database'
import { eventually } from '@augury/testing/eventually'
import { expect, onTestFinished, test } from 'vitest'
import { listener } from '../src/listener.ts'

test('a broken connection is closed before the next one is opened', async () => {
  const databaseUrl = await createDatabase('listener')
  let tries = 0
  const news = listener({
    connection: { connectionString: databaseUrl, application_name: 'augury tried' },
    ...{ channels: ['news'], heard() {}, wanted: () => true },
    async connected() {
      tries++
      throw new Error('there is no such table yet')
    },
  })
  onTestFinished(() => news.close())
  news.open()
  await eventually(() => expect(tries).toBeGreaterThan(2))
  const [{ open }] = await query(
    databaseUrl,
    `select count(*)::int as open from pg_stat_activity where datname = current_database() and application_name = 'augury tried'`,
  )
  expect(open).toBeLessThan(2)
})
