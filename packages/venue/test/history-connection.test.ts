import { expect, onTestFinished, test } from 'vitest'
import { beginProjection } from '../src/history/projection.ts'
import { connect, drop, historyConnection } from '../src/postgres.ts'
import { clobDatabase } from './fixture.ts'

test('a writer that is frozen in the middle of a transaction lets go of history', async () => {
  const url = await clobDatabase()
  const frozen = await connect(historyConnection(url, 'frozen'))
  const next = await connect(historyConnection(url, 'next'))
  onTestFinished(() => {
    drop(frozen)
    drop(next)
  })
  await beginProjection(frozen, 'main')
  const lock = `select from projection where stream = 'main' for update`
  await frozen.query('begin')
  expect((await frozen.query(lock)).rowCount).toBe(1)
  // It says nothing more, and the one after it waits for no longer than a few seconds.
  expect((await next.query(lock)).rowCount).toBe(1)
  await expect(frozen.query('commit')).rejects.toThrow()
})
