import { query } from '@augury/testing/connection'
import { openLine } from '@augury/testing/cut-line'
import { createDatabase } from '@augury/testing/database'
import { eventually } from '@augury/testing/eventually'
import { expect, onTestFinished, test } from 'vitest'
import { followNotices } from '../src/base/notices.ts'

test('a connection without LISTEN is closed', async () => {
  const databaseUrl = await createDatabase('notices')
  await expect(followNotices(databaseUrl, { 'not a channel': async () => {} }, () => {})).rejects.toThrow('syntax error')
  const others = `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`
  await eventually(async () => expect(await query(databaseUrl, others)).toEqual([]))
})

test('a line that falls silent without a word is noticed, and what was told meanwhile is made up for', async () => {
  const url = new URL(await createDatabase('notices'))
  const line = await openLine(Number(url.port), { host: url.hostname })
  onTestFinished(() => line.close())
  const told: (string | undefined)[] = []
  const troubles: Error[] = []
  const byLine = Object.assign(new URL(url), { port: String(line.port) }).href
  const stop = await followNotices(byLine, { news: async (payload) => void told.push(payload) }, (error) => troubles.push(error), 100)
  onTestFinished(stop)
  await query(url.href, `notify news, 'first'`)
  await eventually(async () => expect(told).toEqual(['first']))

  line.silence(true)
  await query(url.href, `notify news, 'never heard'`)
  await eventually(async () => expect(troubles).not.toEqual([]))
  line.cut()
  line.silence(false)
  await eventually(async () => expect(told).toEqual(['first', undefined]))
  await query(url.href, `notify news, 'last'`)
  await eventually(async () => expect(told).toEqual(['first', undefined, 'last']))
})

test('when what was missed cannot be read, the connection is made again, and there is one', async () => {
  const databaseUrl = await createDatabase('notices')
  let readings = 0
  const news = async () => {
    if (++readings < 4) throw new Error('there is no such table yet')
  }
  onTestFinished(await followNotices(databaseUrl, { news }, () => {}))
  await query(
    databaseUrl,
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'augury notices' and datname = current_database()`,
  )
  await eventually(async () => expect(readings).toBe(4))
  const open = `select from pg_stat_activity where datname = current_database() and application_name = 'augury notices'`
  await eventually(async () => expect(await query(databaseUrl, open)).toHaveLength(1))
})
