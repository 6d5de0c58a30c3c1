import { cp, readdir, realpath, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { startChild } from '@augury/testing/child-process'
import { query } from '@augury/testing/connection'
import { createDatabase } from '@augury/testing/database'
import { temporaryFolder } from '@augury/testing/temporary-folder'
import { describe, expect, test } from 'vitest'
import { clob } from '../src/clob/database.ts'
import { migrate } from '../src/orm.ts'
import { platformDatabase } from '../src/platform/database.ts'
import { NEWEST, requireMigrated } from '../src/require-migrated.ts'

const program = `${import.meta.dirname}/../src/migrate.ts`

test.each([
  ['clob', 'CLOB_DATABASE_URL', 'journal'],
  ['platform', 'DATABASE_URL', 'market'],
] as const)(
  'one command makes the database %s what the release needs, and a second time changes nothing',
  async (name, variable, table) => {
    const url = await createDatabase(name)
    for (let time = 0; time < 2; time++) {
      const child = startChild(process.execPath, [program, name], { env: { [variable]: url } })
      expect(await child.ended).toBe(0)
      expect(child.output()).toContain(`The database ${name} is up to date.`)
    }
    expect(await query(url, 'select to_regclass($1) is not null as there', [table])).toEqual([{ there: true }])
  },
)

test.each([
  ['clob', 'CLOB_DATABASE_URL'],
  ['platform', 'DATABASE_URL'],
] as const)('a pod waits until the database %s has what the release needs', async (name, variable) => {
  const env = { [variable]: await createDatabase(`waited_${name}`) }
  const waiting = startChild(process.execPath, [`${import.meta.dirname}/../src/await-migrated.ts`, name], { env })
  await waiting.waitFor(/Waiting: .*was never migrated/)
  expect(await startChild(process.execPath, [program, name], { env }).ended).toBe(0)
  expect(await waiting.ended).toBe(0)
  expect(waiting.output().match(/Waiting/g)).toHaveLength(1)
})

describe.each([
  ['clob', clob],
  ['platform', platformDatabase],
] as const)('a database %s of before 0.1.0', (name, database) => {
  const madeBy = async (migration: string) => {
    const url = await createDatabase(`before_${name}`)
    await migrate(database, url)
    await query(url, `update mikro_orm_migrations set name = '${migration}' where name like '%_initial'`)
    return url
  }

  test('keeps its tables when it has all the migrations that the initial one replaced', async () => {
    const url = await madeBy(database.replaced)
    await migrate(database, url)
    await expect(requireMigrated(name, (sql) => query(url, sql))).resolves.toBeUndefined()
  })

  test('is left alone when it lacks some, and the command says what to do', async () => {
    const url = await madeBy('Migration20261120120000_second')
    await query(url, `delete from mikro_orm_migrations where name <> 'Migration20261120120000_second'`)
    await expect(migrate(database, url)).rejects.toThrow(
      `it was made before 0.1.0 and ends with Migration20261120120000_second. Migrate it to ${database.replaced} with the commit that has that ` +
        'file; to start a sandbox without its data, run npm start -- --reset',
    )
    await expect(requireMigrated(name, (sql) => query(url, sql))).rejects.toThrow('is older than this program')
  })
})

test('migrations are found wherever the repository lies', async () => {
  const folder = join(temporaryFolder('migrate'), 'copy (2) [new] {ä}')
  const own = join(import.meta.dirname, '..')
  for (const name of ['src', 'package.json']) await cp(join(own, name), join(folder, name), { recursive: true })
  await symlink(await realpath(join(own, 'node_modules')), join(folder, 'node_modules'))
  const url = await createDatabase('clob')
  const child = startChild(process.execPath, [join(folder, 'src/migrate.ts'), 'clob'], { env: { CLOB_DATABASE_URL: url } })
  expect([await child.ended, child.output()]).toEqual([0, 'The database clob is up to date.\n'])
  expect(await query(url, "select to_regclass('journal') is not null as there")).toEqual([{ there: true }])
})

test('which database is said, never guessed', async () => {
  const child = startChild(process.execPath, [program])
  expect(await child.ended).toBe(2)
  expect(child.output()).toContain('Say which database: clob or platform.')
})

test('a database that cannot be reached is said in a line', async () => {
  const child = startChild(process.execPath, [program, 'clob'], { env: { CLOB_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/clob' } })
  expect(await child.ended).toBe(1)
  expect(child.output()).toMatch(/^The database clob was left as it was: .+\n$/m)
})

test.each([
  ['clob', clob],
  ['platform', platformDatabase],
] as const)('programs ask of the database %s for the last migration there is, and put up with later ones', async (name, { migrations }) => {
  const names = (await readdir(migrations)).filter((file) => file.endsWith('.ts')).map((file) => file.slice(0, -'.ts'.length))
  expect(NEWEST[name]).toBe(names.sort().at(-1))
  const later = [...names, 'Migration29991231235959_later'].map((done) => ({ name: done }))
  await expect(requireMigrated(name, async () => later)).resolves.toBeUndefined()
})
