import { expect, test } from 'vitest'
import { query } from '../src/connection.ts'
import { createDatabase, migratedDatabase } from '../src/database.ts'

test('each database is new, empty, and on PostgreSQL 18', async () => {
  const [first, second] = await Promise.all([createDatabase(), createDatabase('book')])
  await query(first, 'create table level (price int)')
  expect(await query(second, `select from pg_tables where schemaname = 'public'`)).toEqual([])
  expect(await query(first, `select current_setting('server_version_num')::int / 10000 as major`)).toEqual([{ major: 18 }])
})

test('a template is migrated once, and every copy has its rows and is independent', async () => {
  let migrations = 0
  const migrate = async (url: string) => {
    migrations++
    await query(url, 'create table lot (size int); insert into lot values (7)')
  }
  const copies = await Promise.all([1, 2, 3].map(() => migratedDatabase('lots', migrate)))
  await query(copies[0]!, 'insert into lot values (8)')
  expect(migrations).toBe(1)
  expect(await Promise.all(copies.map(async (url) => (await query(url, 'select from lot')).length))).toEqual([2, 1, 1])
})

test('a migration that fails leaves no template behind', async () => {
  const broken = migratedDatabase('broken', (url) => query(url, 'create tabel lot ()'))
  await expect(broken).rejects.toThrow('syntax error')
  const mended = await migratedDatabase('broken', (url) => query(url, 'create table lot (size int)'))
  expect(await query(mended, 'select from lot')).toEqual([])
})
