import { encodeRow } from '@augury/engine/codec'
import { NEWEST_RULES } from '@augury/engine/state'
import { query } from '@augury/testing/connection'
import { expect, test } from 'vitest'
import { GENESIS, seal } from '../src/record/log/journal.ts'
import { PostgresJournal } from '../src/record/log/postgres-journal.ts'
import { Replica } from '../src/record/log/replica.ts'
import { upgradeRules } from '../src/serve/operations/manage-venue.ts'
import { deposit, register } from './commands.ts'
import { clobDatabase, startVenue } from './fixture.ts'

/** A database whose journal a writer of the release before began. */
async function begunByTheReleaseBefore(): Promise<string> {
  const databaseUrl = await clobDatabase()
  const journal = new PostgresJournal({ databaseUrl, stream: 'main', requireDurability: false })
  const { timeline, epoch } = await journal.acquire()
  const commands = encodeRow([register('rain'), deposit('ann', 1000)])
  const place = { timeline, epoch, firstSeq: 1, lastSeq: 2, at: 1000, rules: NEWEST_RULES - 1 }
  const { appliedThrough, digest } = new Replica('main').state()
  await journal.append(seal('main', { ...place, appliedThrough, digest, commands, previousChecksum: GENESIS }))
  await journal.close()
  return databaseUrl
}

test('a journal of the release before keeps its rules until an operator upgrades them, once and for good', async () => {
  const url = await begunByTheReleaseBefore()
  const first = await startVenue(url)
  await first.submit(deposit('ann', 1, 'by the old rules'))
  const answers = [await upgradeRules({ venue: first }), await upgradeRules({ venue: first })]
  expect(answers).toEqual([{ rules: NEWEST_RULES }, { rules: NEWEST_RULES }])
  const digest = first.exchange.digest()
  await first.close()

  await query(url, 'delete from snapshot') // so that the whole journal is read
  const second = await startVenue(url)
  expect(second.exchange.digest()).toBe(digest)
  const { seq } = await second.submit(deposit('ann', 1, 'by the new ones'))
  await second.readModel.waitFor(seq)
  const rows = await query(url, 'select rules from journal order by first_seq')
  const [before, after] = [NEWEST_RULES - 1, NEWEST_RULES]
  expect(rows.map(({ rules }) => rules)).toEqual([before, before, before, after, after])
})

test('a release that does not know the rules says so, and not that the journal is damaged', () => {
  const later = new Replica('main')
  const commands = encodeRow([deposit('ann', 1)])
  const place = { timeline: 1, epoch: 1, firstSeq: 1, lastSeq: 1, at: 1000, rules: NEWEST_RULES + 1, appliedThrough: 0 }
  const row = seal('main', { ...place, digest: 'another state', commands, previousChecksum: GENESIS })
  expect(() => later.verify(row)).toThrow(`has rules ${NEWEST_RULES + 1}, which a later release than this one knows`)
})
