import { openLine } from '@augury/testing/cut-line'
import { createDatabase } from '@augury/testing/database'
import type { MikroORM } from '@mikro-orm/postgresql'
import { expect, onTestFinished, test } from 'vitest'
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

test('what an address says of TLS is kept to: a server without it is not spoken to', async () => {
  const orm = await openOrm(platformDatabase, `${await createDatabase('orm')}?sslmode=verify-full`)
  await expect(one(orm)).rejects.toThrow('The server does not support SSL connections')
  await orm.close()
})

const LOCK = 'select pg_advisory_xact_lock(1)'

test('a program that is frozen in the middle of a transaction lets go of its locks', async () => {
  const databaseUrl = await createDatabase('orm')
  const frozen = await openOrm(platformDatabase, databaseUrl, { betweenMs: 500 })
  const next = await openOrm(platformDatabase, databaseUrl)
  const [holds, wakesUp] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const work = frozen.em.fork().transactional(async (em) => {
    await em.execute(LOCK)
    holds.resolve()
    await wakesUp.promise
    await em.execute('select 1 as one')
  })
  await holds.promise
  await next.em.fork().transactional((em) => em.execute(LOCK))
  wakesUp.resolve()
  await expect(work).rejects.toThrow()
  expect(await one(frozen)).toEqual([{ one: 1 }])
  await Promise.all([frozen.close(), next.close()])
})

test('connections that are lost in the middle of transactions are made up for, however many', async () => {
  const databaseUrl = await createDatabase('orm')
  const orm = await openOrm(platformDatabase, databaseUrl)
  const lost = Array.from({ length: 25 }, () =>
    orm.em.fork().transactional((em) => em.execute('select pg_terminate_backend(pg_backend_pid())')),
  )
  expect(new Set((await Promise.allSettled(lost)).map(({ status }) => status))).toEqual(new Set(['rejected']))
  expect(await one(orm)).toEqual([{ one: 1 }])
  await orm.close()
})

test('a database that falls silent without a word is asked over other connections as soon as it speaks again', async () => {
  const url = new URL(await createDatabase('orm'))
  const line = await openLine(Number(url.port), { host: url.hostname })
  onTestFinished(() => line.close())
  url.port = String(line.port)
  const orm = await openOrm(platformDatabase, url.href, { answerMs: 1000 })
  const transaction = () => orm.em.fork().transactional((em) => em.execute('select 1 as one'))
  await Promise.all(Array.from({ length: 20 }, transaction))
  line.silence(true)
  const asked = await Promise.allSettled(Array.from({ length: 25 }, (_, n) => (n % 2 ? one(orm) : transaction())))
  expect(new Set(asked.map(({ status }) => status))).toEqual(new Set(['rejected']))
  line.silence(false)
  expect(await Promise.all(Array.from({ length: 25 }, () => one(orm)))).toEqual(Array.from({ length: 25 }, () => [{ one: 1 }]))
  await orm.close()
})
