import { migratedDatabase } from '@augury/testing/database'
import type { MikroORM } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migratePlatform, openPlatformOrm } from '../src/platform/database.ts'
import { Event } from '../src/platform/event.entity.ts'
import { anyOf, lockName, tables } from '../src/platform/tables.ts'
import { User } from '../src/platform/user.entity.ts'
import { isDuplicate, isRefusedByDatabase } from '../src/refused.ts'

let orm: MikroORM
beforeAll(async () => {
  orm = await openPlatformOrm(await migratedDatabase('platform', migratePlatform))
})
afterAll(() => orm.close())

const AT = new Date('2026-11-20T12:00:00.123Z')
const member = (nth: number) => ({ address: `0x${String(nth).padStart(40, '0')}`, affiliate_code: `member${nth}`, created_at: AT })

test('values come as the types say: times as Date, bytes as Buffer, what is beyond 32 bits as text', async () => {
  const db = tables(orm.em.fork())
  const { id } = await db
    .insertInto('users')
    .values({ ...member(1), total_volume: 2 ** 40 })
    .returning('id')
    .executeTakeFirstOrThrow()
  const token_hash = Buffer.alloc(32, 7)
  const seen = { created_at: AT, last_seen_at: AT, proven_at: AT, user_agent: '', client_address: '' }
  await db
    .insertInto('session')
    .values({ token_hash, user_id: id, ...seen })
    .execute()
  const row = await db
    .selectFrom('session')
    .innerJoin('users', 'users.id', 'session.user_id')
    .select(['token_hash', 'last_seen_at', 'total_volume', 'total_trades', 'email_verified', 'preferences', 'username'])
    .where('token_hash', '=', token_hash)
    .executeTakeFirstOrThrow()
  const others = { total_volume: String(2 ** 40), total_trades: 0, email_verified: false, preferences: {}, username: null }
  expect(row).toEqual({ token_hash, last_seen_at: AT, ...others })
  // The same row as an entity has its numbers as numbers.
  expect(await orm.em.fork().findOneOrFail(User, { id })).toMatchObject({ totalVolume: 2 ** 40, createdAt: AT })
})

test('inside of a transaction it sees what the transaction wrote, and is undone with it', async () => {
  const em = orm.em.fork()
  const undone = em.transactional(async (inner) => {
    await inner.insert(Event, { slug: 'undone', title: 'Undone', creator: member(1).address })
    expect(await tables(inner).selectFrom('event').select('slug').execute()).toEqual([{ slug: 'undone' }])
    throw new Error('undo')
  })
  await expect(undone).rejects.toThrow('undo')
  expect(await tables(em).selectFrom('event').select('slug').execute()).toEqual([])
})

test.each([
  [[], 0],
  [[member(2).address], 1],
  [Array.from({ length: 70_000 }, (_, nth) => member(nth).address), 2],
])('any of %# is one parameter', async (addresses, found) => {
  const db = tables(orm.em.fork())
  await db
    .insertInto('users')
    .values(member(2))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  expect(await db.selectFrom('users').select('id').where('address', '=', anyOf(addresses)).execute()).toHaveLength(found)
})

test('a name that is locked is free after the transaction, and not before', async () => {
  const isFree = async () => {
    const free = sql<boolean>`pg_try_advisory_xact_lock(hashtext('kind'), hashtext('name'))`.as('free')
    return (await tables(orm.em.fork()).selectNoFrom(free).executeTakeFirstOrThrow()).free
  }
  await orm.em.fork().transactional(async (em) => {
    await lockName(em, 'kind', 'name')
    expect(await isFree()).toBe(false)
  })
  expect(await isFree()).toBe(true)
})

test('a duplicate is known as one, by the ORM and by the query builder', async () => {
  const em = orm.em.fork()
  const twice = { address: member(3).address, affiliateCode: 'member3' }
  await em.insert(User, twice)
  const byOrm = await em.insert(User, twice).catch((error: unknown) => error)
  const byBuilder = await tables(em)
    .insertInto('users')
    .values(member(3))
    .execute()
    .catch((error: unknown) => error)
  expect([byOrm, byBuilder].map(isDuplicate)).toEqual([true, true])
  const wrong = await tables(em)
    .insertInto('users')
    .values({ ...member(4), address: 'no address' })
    .execute()
    .catch((error: unknown) => error)
  expect([isRefusedByDatabase(wrong), isDuplicate(wrong), isRefusedByDatabase(new Error('other'))]).toEqual([true, false, false])
})
