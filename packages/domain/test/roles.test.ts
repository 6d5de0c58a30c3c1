import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { query, withConnection } from '@augury/testing/connection'
import { startThrowawayServer, type ThrowawayServer } from '@augury/testing/throwaway-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrateClob } from '../src/clob/database.ts'
import { migratePlatform } from '../src/platform/database.ts'

// What the handbook's PostgreSQL is made with, said by psql there and by us here.
const script = readFileSync(join(import.meta.dirname, '../../../deploy/make-databases.sql'), 'utf8')
const passwords: Record<string, string> = { exchange_password: 'one', platform_password: 'two' }

let server: ThrowawayServer
const as = (role: string, database: string) => {
  const url = new URL(server.url(database))
  url.username = role
  return url.href
}
beforeAll(async () => {
  server = await startThrowawayServer()
  const statements = script.split('\n').filter((line) => /^[a-z]/.test(line))
  await withConnection(server.url('postgres'), async (client) => {
    await client.query(`update pg_database set encoding = 0 where datname = 'template1'`) // as on a host without a language
    for (const text of statements) await client.query(text.replace(/:'(\w+)'/, (_, name) => `'${passwords[name]}'`))
  })
})
afterAll(() => server?.remove())

test.each([
  ['clob', migrateClob, 'platform'],
  ['platform', migratePlatform, 'clob'],
] as const)('the role of %s migrates its database, and gets into no other', async (role, migrate, other) => {
  await migrate(as(role, role))
  expect(await query(as(role, role), 'show server_encoding')).toEqual([{ server_encoding: 'UTF8' }])
  const [{ tables }] = await query(as(role, role), "select count(*)::int as tables from pg_tables where schemaname = 'public'")
  expect(tables).toBeGreaterThan(5)
  await expect(query(as(role, other), 'select 1')).rejects.toThrow(`permission denied for database "${other}"`)
  expect(await query(as(role, role), 'select rolsuper, rolcreatedb, rolcreaterole from pg_roles where rolname = current_user')).toEqual([
    { rolsuper: false, rolcreatedb: false, rolcreaterole: false },
  ])
})
