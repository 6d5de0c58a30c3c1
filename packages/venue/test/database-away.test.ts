import { createDatabase } from '@augury/testing/database'
import { freePort } from '@augury/testing/free-port'
import pg from 'pg'
import { expect, test } from 'vitest'
import { isDatabaseAway } from '../src/database-away.ts'

const failure = (work: Promise<unknown>): Promise<unknown> => work.then(() => null, (error) => error) // biome-ignore format: one line

test('a server that nobody runs, a connection that was ended, and one that ends in mid-query', async () => {
  const nobody = new pg.Client(`postgres://postgres@127.0.0.1:${await freePort()}/x`)
  expect(isDatabaseAway(await failure(nobody.connect()))).toBe(true)

  const url = await createDatabase('away')
  const [victim, other] = [new pg.Client(url), new pg.Client(url)]
  victim.on('error', () => {})
  await Promise.all([victim.connect(), other.connect()])
  const { rows } = await victim.query('select pg_backend_pid() as pid')
  const sleeping = failure(victim.query('select pg_sleep(30)'))
  await other.query('select pg_terminate_backend($1)', [rows[0].pid])
  expect(isDatabaseAway(await sleeping)).toBe(true)
  expect(isDatabaseAway(await failure(victim.query('select 1')))).toBe(true)

  expect(isDatabaseAway(await failure(other.query('selekt 1')))).toBe(false)
  await other.end()
})

test('a bug is a bug', () => {
  expect([new TypeError('undefined is not a function'), 'text', null].map(isDatabaseAway)).toEqual([false, false, false])
})
