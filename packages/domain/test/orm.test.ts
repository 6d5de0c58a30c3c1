import { createDatabase } from '@augury/testing/database'
import type { MikroORM } from '@mikro-orm/postgresql'
import { expect, test } from 'vitest'
import { openOrm } from '../src/orm.ts'
import { platformDatabase } from '../src/platform/database.ts'

const one = (orm: MikroORM) => orm.em.fork().execute('select 1 as one')
/** More than there are connections, each asking again when it has its answer. */
const manyReaders = (orm: MikroORM) => Array.from({ length: 25 }, async () => [...(await one(orm)), ...(await one(orm))])

test.each([
  ['while its first connections are being made', async () => {}],
  ['while all connections are busy', async (orm: MikroORM) => void (await Promise.race(manyReaders(orm)))],
  ['while one of its connections does nothing', async (orm: MikroORM) => void (await one(orm))],
])('an ORM that is closed %s answers all who ask, then closes', async (_, before) => {
  const orm = await openOrm(platformDatabase, await createDatabase('orm'))
  await before(orm)
  const readers = Promise.all(manyReaders(orm))
  await new Promise(setImmediate)
  await orm.close()
  expect(await readers).toEqual(Array.from({ length: 25 }, () => [{ one: 1 }, { one: 1 }]))
})

test('an ORM closes within a transaction only once that has committed', async () => {
  const orm = await openOrm(platformDatabase, await createDatabase('orm'))
  const done: string[] = []
  const work = orm.em.fork().transactional(async (em) => {
    for (let i = 0; i < 5; i++) await em.execute('select pg_sleep(0.01)')
    done.push('committed')
  })
  await new Promise(setImmediate)
  await orm.close()
  done.push('closed')
  await work
  expect(done).toEqual(['committed', 'closed'])
})

test.each([
  ['was never used', async () => {}],
  ['has no database', async (orm: MikroORM) => void one(orm).catch(() => {})],
])('an ORM that %s closes', async (_, before) => {
  const orm = await openOrm(platformDatabase, 'postgres://127.0.0.1:9/nowhere')
  await before(orm)
  await orm.close()
  expect(await orm.isConnected()).toBe(false)
})
