import { drop } from '@augury/domain/pool'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { connect, historyConnection, historyConnectionNames } from '../src/base/postgres.ts'
import { beginProjection } from '../src/record/history/projection.ts'
import { deposit } from './commands.ts'
import { clobDatabase, startVenue } from './fixture.ts'

const LOCK = `select from projection where stream = 'main' for update`

async function writerOfHistory(url: string, name: string): Promise<pg.Client> {
  const client = await connect(historyConnection(url, name))
  onTestFinished(() => drop(client))
  return client
}

test('a writer that is frozen in the middle of a transaction lets go of history', async () => {
  const url = await clobDatabase()
  const frozen = await writerOfHistory(url, 'frozen')
  const next = await writerOfHistory(url, 'next')
  await beginProjection(frozen, 'main')
  await frozen.query('begin')
  expect((await frozen.query(LOCK)).rowCount).toBe(1)
  // It says nothing more, and the one after it waits for no longer than a few seconds.
  expect((await next.query(LOCK)).rowCount).toBe(1)
  await expect(frozen.query('commit')).rejects.toThrow()
})

test('history is taken from a writer that is frozen while it copies rows in, which no time limit of the server ends', async () => {
  const url = await clobDatabase()
  const frozen = await writerOfHistory(url, historyConnectionNames('main').writer)
  await beginProjection(frozen, 'main')
  await frozen.query('begin')
  await frozen.query(LOCK)
  const copy = new pg.Query('copy order_change from stdin') as pg.Query & { handleCopyInResponse(): void }
  const waits = new Promise<void>((resolve) => (copy.handleCopyInResponse = resolve)) // and no row ever comes
  frozen.query(copy)
  await waits

  const venue = await startVenue(url)
  const { seq } = await venue.submit(deposit('ann', 1))
  await expect.poll(() => venue.readModel.projectedSeq(), { timeout: 20_000 }).toBe(seq)
})

test('what an address says of a connection does not take the name and the time limits from it by which frozen writers are ended', async () => {
  const url = `${await clobDatabase()}?application_name=ours&options=${encodeURIComponent('-c work_mem=5MB -c idle_in_transaction_session_timeout=0')}`
  const client = await writerOfHistory(url, historyConnectionNames('main').writer)
  const { rows } = await client.query(`
    select current_setting('application_name') as name, current_setting('work_mem') as memory, current_setting('synchronous_commit') as waits,
      current_setting('idle_in_transaction_session_timeout') as silent`)
  expect(rows).toEqual([{ name: 'augury follower history main', memory: '5MB', waits: 'off', silent: '10s' }])
})
