import { join } from 'node:path'
import { startSettings } from '@augury/settings/env'
import { startChild } from '@augury/testing/child-process'
import { freePort } from '@augury/testing/free-port'
import { temporaryFolder } from '@augury/testing/temporary-folder'
import { expect, test } from 'vitest'
import { embeddedPostgres, prepareDatabases, startPostgres } from '../src/databases.ts'

const root = join(import.meta.dirname, '../../..')

const run = async (env: Record<string, string>, ...words: string[]) => {
  const child = startChild(process.execPath, [join(root, 'tooling/start/run.mjs'), ...words], { cwd: root, env })
  return [await child.ended, child.output()]
}

test('what runs by hand finds the PostgreSQL of a start that has ended, and leaves it stopped', { timeout: 60_000 }, async () => {
  const env = { DATA_DIR: temporaryFolder('by-hand'), PG_PORT: String(await freePort()) }
  const settings = startSettings(env)
  const postgres = embeddedPostgres(settings)!
  const release = await startPostgres(postgres)
  await prepareDatabases(settings)
  await postgres.stop()
  release()
  expect(await run(env, 'accept-restored')).toEqual([0, expect.stringContaining('begins with the next start')])
  expect(postgres.pid()).toBeNull()
  expect(await run(env, 'migrate', 'neither')).toEqual([2, expect.stringContaining('Say which database')])
  expect(postgres.pid()).toBeNull()
  await postgres.start()
  expect(await run(env, 'verify-audit')).toEqual([0, expect.stringContaining('0 entries')])
  expect(postgres.pid()).not.toBeNull()
  await postgres.stop()
})

test('where nothing was ever started, it makes no database', async () => {
  const env = { DATA_DIR: temporaryFolder('by-hand'), PG_PORT: String(await freePort()) }
  expect(await run(env, 'verify-audit')).toEqual([1, expect.stringContaining('Look at DATABASE_URL')])
})
