import { query } from '@augury/testing/connection'
import { temporaryFolder } from '@augury/testing/temporary-folder'
import { expect, test } from 'vitest'
import { hostClock } from '../src/base/clock.ts'
import { acceptRestored, HighWater } from '../src/record/log/high-water.ts'
import { checkClocks } from '../src/record/log/recovery.ts'
import { findStream } from '../src/record/take-over.ts'
import { clobDatabase, startVenue } from './fixture.ts'
import { randomCommands } from './random-commands.ts'

test('a restart has the same state, and goes on behind the last row', async () => {
  const url = await clobDatabase()
  const first = await startVenue(url)
  const results = await Promise.all([...randomCommands(1, 500)].map((command) => first.submit(command)))
  expect(results.map(({ seq }) => seq)).toEqual(results.map((_, index) => index + 1))
  const digest = first.exchange.digest()
  await first.close()
  const before = first.now()

  const second = await startVenue(url)
  expect({ digest: second.exchange.digest(), seq: second.exchange.seq, epoch: second.epoch }).toEqual({ digest, seq: 507, epoch: 2 })
  expect(second.now()).toBeGreaterThanOrEqual(before)
  const { seq } = await second.submit({ type: 'set_mode', mode: 'paused' })
  expect(seq).toBe(508)
})

test('restoring a snapshot and replaying the rest is the same as replaying everything', async () => {
  const url = await clobDatabase()
  const digests: string[] = []
  for (const [index, snapshotEvery] of [100, 1_000_000, 1_000_000].entries()) {
    const venue = await startVenue(url, { snapshotEvery })
    if (index === 0) for (const command of randomCommands(2, 300)) await venue.submit(command)
    digests.push(venue.exchange.digest())
    await venue.close()
    if (index === 0) expect((await query(url, 'select count(*)::int as kept from snapshot'))[0].kept).toBe(3)
    if (index === 1) await query(url, 'delete from snapshot')
  }
  expect(new Set(digests).size).toBe(1)
})

test('a damaged snapshot, or one of another history or of another release, is passed over', async () => {
  const url = await clobDatabase()
  const first = await startVenue(url, { snapshotEvery: 50 })
  for (const command of randomCommands(3, 200)) await first.submit(command)
  const digest = first.exchange.digest()
  await first.close()
  const [newest, older, oldest] = await query(url, 'select seq from snapshot order by seq desc')
  await query(url, `update snapshot_chunk set bytes = set_byte(bytes, 40, get_byte(bytes, 40) # 1) where seq = $1`, [newest.seq])
  await query(url, `update snapshot set checksum = decode(repeat('ab', 32), 'hex') where seq = $1`, [older.seq])
  await query(url, 'update snapshot_chunk set bytes = set_byte(bytes, 14, 1) where seq = $1', [oldest.seq]) // the format's version
  await query(
    url,
    'update snapshot s set hash = sha256(c.bytes) from snapshot_chunk c where c.stream = s.stream and c.seq = s.seq and s.seq = $1',
    [oldest.seq],
  )
  const second = await startVenue(url)
  expect(second.exchange.digest()).toBe(digest)
})

test.each([
  [
    'a command changed',
    `update journal set commands = set_byte(commands, 20, get_byte(commands, 20) # 1) where first_seq = 3`,
    /changed after/,
  ],
  ['a time changed', 'update journal set at = at + 1 where first_seq = 3', /changed after/],
  ['a digest changed', `update journal set digest = '0123456789abcdef' where first_seq = 3`, /changed after/],
  ['a row is gone', 'delete from journal where first_seq = 3', /rows are missing/],
  ['the last rows are gone but history saw them', 'delete from journal where first_seq >= 9', /history/],
])('the start is refused when %s', async (_, damage, sentence) => {
  const url = await clobDatabase()
  const first = await startVenue(url)
  for (const command of randomCommands(4, 3)) await first.submit(command)
  await first.close()
  await query(url, 'delete from snapshot')
  await query(url, damage)
  await expect(startVenue(url)).rejects.toThrow(sentence)
})

test('history that is behind counts as old as the first row it lacks', async () => {
  const url = await clobDatabase()
  const first = await startVenue(url)
  for (const command of randomCommands(6, 3)) await first.submit(command)
  await first.close()
  const [{ at, checksum }] = await query(url, 'select at::float8, checksum from journal where first_seq = 4')
  await query(url, 'update projection set projected_seq = 4, folded_seq = 4, at = $1, checksum = $2', [at, checksum])
  const { lacksSince } = await findStream(url, 'main')
  expect(lacksSince).toBe((await query(url, 'select at::float8 from journal where first_seq = 5'))[0].at)
})

test('a server that may lose commits is refused', async () => {
  const url = await clobDatabase()
  await expect(startVenue(url, { requireDurability: true })).rejects.toThrow(/fsync.*off/)
})

test.each([
  [0, true],
  [5000, true],
  [-5000, true],
  [5001, false],
  [-5001, false],
])('a wall clock %i ms from the database: fine is %s', (difference, isFine) => {
  const check = () => checkClocks(1_000_000 + difference, 1_000_000)
  if (isFine) check()
  else expect(check).toThrow(/clocks/)
})

test('a database older than what the data folder has seen is refused, until an operator says that it is right', async () => {
  const [url, older] = [await clobDatabase(), await clobDatabase()]
  const dataDir = temporaryFolder('high-water')
  const first = await startVenue(url, { dataDir })
  for (const command of randomCommands(7, 20)) await first.submit(command)
  await first.close()
  const again = await startVenue(url, { dataDir })
  expect(again.timeline).toBe(1)
  await again.close()

  await expect(startVenue(older, { dataDir })).rejects.toThrow(
    /seen up to 27, and the journal, which ends at 0, does not hold that: at least 27 commands are missing.*npm run accept-restored/s,
  )
  const accept = async () => {
    const said: string[] = []
    await acceptRestored(older, 'main', new HighWater(dataDir, 'main', hostClock), (line) => said.push(line))
    return said
  }
  const lacks = 'The journal ends at 0, and this data folder has seen up to 27, which is not in it: at least 27 commands are missing.'
  expect(await accept()).toEqual([lacks, expect.stringMatching(`^Timeline \\d+ begins with the next start.* ${lacks}$`)])
  const accepted = await startVenue(older, { dataDir })
  // A timeline is called by its minute, so that two that begin from one backup are never called alike.
  expect(accepted.timeline).toBeCloseTo(Date.now() / 60_000, -1)
  expect(accepted.exchange.seq).toBe(0)
  await accepted.submit({ type: 'set_mode', mode: 'paused' })
  await accepted.close()
  expect((await accept())[0]).toBe('The journal ends at 1, and this data folder has seen up to 1: nothing of that is missing.')
  expect((await startVenue(older, { dataDir })).timeline).toBeGreaterThan(accepted.timeline)
  await expect(startVenue(url, { dataDir })).rejects.toThrow(/older backup/)
})
