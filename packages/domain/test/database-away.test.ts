import { createDatabase } from '@augury/testing/database'
import { freePort } from '@augury/testing/free-port'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { isDatabaseAway } from '../src/database-away.ts'
import { openOrm } from '../src/orm.ts'
import { platformDatabase } from '../src/platform/database.ts'

const failure = (work: Promise<unknown>): Promise<unknown> => work.then(() => null, (error) => error) // biome-ignore format: one line
const nowhere = async () => `postgres://postgres@127.0.0.1:${await freePort()}/x`

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

test('an unreachable database, seen by the driver and by the ORM', async () => {
  expect(isDatabaseAway(await failure(new pg.Client(await nowhere()).connect()))).toBe(true)
  const orm = await openOrm(platformDatabase, await nowhere())
  onTestFinished(() => orm.close())
  expect(isDatabaseAway(await failure(orm.em.fork().execute('select 1')))).toBe(true)
})

test('a connection that ends in the middle of a query, and one that has ended', async () => {
  const url = await createDatabase('away')
  const [victim, other] = [await connected(url), await connected(url)]
  const { rows } = await victim.query('select pg_backend_pid() as pid')
  const sleeping = failure(victim.query('select pg_sleep(30)'))
  await other.query('select pg_terminate_backend($1)', [rows[0].pid])
  expect(isDatabaseAway(await sleeping)).toBe(true)
  expect(isDatabaseAway(await failure(victim.query('select 1')))).toBe(true)
})

test('a query that the database, or its driver, gives up; not one that is wrong', async () => {
  const url = await createDatabase('away')
  const client = await connected(`${url}?options=-c%20statement_timeout%3D50`)
  expect(isDatabaseAway(await failure(client.query('select pg_sleep(30)')))).toBe(true)
  const impatient = new pg.Client({ connectionString: url, query_timeout: 50 })
  await impatient.connect()
  onTestFinished(() => impatient.end())
  expect(isDatabaseAway(await failure(impatient.query('select pg_sleep(1)')))).toBe(true)
  expect(isDatabaseAway(await failure(client.query('selekt 1')))).toBe(false)
})

test.each([
  ['08006', true],
  ['53300', true],
  ['57P03', true],
  ['57014', true],
  ['EAI_AGAIN', true],
  ['ENOTFOUND', true],
  ['40001', false],
  ['23505', false],
  ['42P01', false],
  ['58030', false],
  ['ENOENT', false],
  ['order_not_found', false],
])('of the code %s: %j', (code, isAway) => {
  expect(isDatabaseAway(Object.assign(new Error('failed'), { code }))).toBe(isAway)
})

test.each([
  ['a bug', new TypeError('undefined is not a function')],
  ['a refusal whose text is like a loss', Object.assign(new Error('Connection terminated'), { code: 'invalid_payload' })],
  ['a text', 'Connection terminated'],
  ['nothing', null],
])('%s is not the loss of the database', (_, thrown) => {
  expect(isDatabaseAway(thrown)).toBe(false)
})
