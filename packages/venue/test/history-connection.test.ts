import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { beginProjection } from '../src/history/projection.ts'
import { connect, drop, historyConnection, historyConnectionNames } from '../src/postgres.ts'
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
