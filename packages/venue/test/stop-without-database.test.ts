import { readdirSync } from 'node:fs'
import { openLine } from '@augury/testing/cut-line'
import { temporaryFolder } from '@augury/testing/temporary-folder'
import { expect, test } from 'vitest'
import { deposit } from './commands.ts'
import { clobDatabase, startVenue } from './fixture.ts'

test('a writer stopped while the database is away ends in order and reports no fault', async () => {
  const databaseUrl = await clobDatabase()
  const { port, hostname } = new URL(databaseUrl)
  const line = await openLine(Number(port), { host: hostname })
  const byLine = new URL(databaseUrl)
  byLine.host = `127.0.0.1:${line.port}`
  const dataDir = temporaryFolder('stop')
  const venue = await startVenue(byLine.href, { dataDir })
  await venue.submit(deposit('ann', 1))
  line.refuse(true)
  line.cut()
  await expect.poll(() => venue.status().verified, { timeout: 20_000 }).toBe(false)
  await venue.close()
  expect(venue.reports.fatal).toEqual([])
  expect(readdirSync(dataDir)).toEqual(['high-water-main.json'])

  const next = await startVenue(databaseUrl)
  expect(next.exchange.seq).toBe(1)
  await line.close()
})
