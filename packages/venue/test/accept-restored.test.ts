import { temporaryFolder } from '@augury/testing/temporary-folder'
import { expect, test } from 'vitest'
import { hostClock } from '../src/base/clock.ts'
import { acceptRestored, HighWater } from '../src/record/log/high-water.ts'
import { deposit } from './commands.ts'
import { clobDatabase, startVenue } from './fixture.ts'

test('no timeline begins under a running writer: its clients would give up what is there', async () => {
  const url = await clobDatabase()
  const seen = new HighWater(temporaryFolder('accept'), 'main', hostClock)
  const said: string[] = []
  const accept = () => acceptRestored(url, 'main', seen, (line) => said.push(line))
  const venue = await startVenue(url)
  await expect(accept()).rejects.toThrow('writes to stream main: stop every program of the exchange first')
  await venue.submit(deposit('ann', 1))
  expect([venue.timeline, venue.reports.fatal, said]).toEqual([1, [], []])
  await venue.close()
  await accept()
  expect(said.at(-1)).toMatch(/^Timeline \d+ begins/)
})
