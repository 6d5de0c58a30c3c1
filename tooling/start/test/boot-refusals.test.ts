import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { migrateClob } from '@augury/domain/clob/database'
import { migratePlatform } from '@augury/domain/platform/database'
import { NEWEST } from '@augury/domain/require-migrated'
import { startChild } from '@augury/testing/child-process'
import { query } from '@augury/testing/connection'
import { createDatabase, migratedDatabase } from '@augury/testing/database'
import { temporaryFolder } from '@augury/testing/temporary-folder'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const programs = { site: 'apps/web/server.mjs', exchange: 'apps/clob-server/src/main.ts', worker: 'apps/sync-worker/src/main.ts' }
/** What an operator runs by hand. */
const tools = {
  'rotate-keys': 'packages/platform/src/identity/rotate-keys.ts',
  'verify-audit': 'packages/platform/src/admin/verify-audit.ts',
  'accept-restored': 'apps/clob-server/src/accept-restored.ts',
  'rebuild-read-model': 'apps/clob-server/src/rebuild-read-model.ts',
}
const STACK = /^ +at |^\w*Error:/m

/** All that production must be told. */
const settings = {
  MODE: 'production',
  DATABASE_URL: 'postgres://nobody@127.0.0.1:1/platform',
  CLOB_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/clob',
  ORIGIN: 'https://example.org',
  PUBLIC_CLOB_URL: 'https://clob.example.org',
  KEY_RING: `1:${'ab'.repeat(32)}`,
  API_KEY_SECRET: 'an API key secret of thirty-two bytes',
  PROOF_KEY_RING: 'ef'.repeat(32),
  SCHEDULER_SECRET: 'a scheduler secret of thirty-two bytes',
  PLATFORM_WALLET_KEY: `0x${'11'.repeat(32)}`,
}
const REQUIRED: Record<keyof typeof programs, string[]> = {
  site: ['DATABASE_URL', 'KEY_RING', 'ORIGIN', 'PLATFORM_WALLET_KEY', 'PUBLIC_CLOB_URL', 'SCHEDULER_SECRET'],
  worker: ['DATABASE_URL', 'PLATFORM_WALLET_KEY', 'PUBLIC_CLOB_URL'],
  exchange: ['API_KEY_SECRET', 'CLOB_DATABASE_URL', 'PROOF_KEY_RING', 'PUBLIC_CLOB_URL'],
}
/** Secrets that are there, and too short to be any. */
const WEAK = {
  KEY_RING: `1:${'ab'.repeat(31)}`,
  API_KEY_SECRET: 'x'.repeat(31),
  PROOF_KEY_RING: 'ef'.repeat(31),
  SCHEDULER_SECRET: 'x'.repeat(31),
  PLATFORM_WALLET_KEY: `0x${'11'.repeat(31)}`,
}

/** Starts a program that must not come up, and returns what it said and how it ended. */
async function boot(program: keyof typeof programs | keyof typeof tools, environment: Record<string, string>) {
  const env = { DATA_DIR: temporaryFolder('boot'), ...environment }
  const child = startChild(process.execPath, [join(root, { ...programs, ...tools }[program])], { cwd: root, env })
  return { code: await child.ended, said: child.output() }
}

test.each(Object.keys(programs) as (keyof typeof programs)[])('%s does not run in production without its secrets', async (program) => {
  const { said, code } = await boot(program, { MODE: 'production' })
  expect(code).toBe(1)
  expect(said).not.toMatch(STACK)
  expect([...said.matchAll(/^ *(\w+) must be set in production$/gm)].map(([, name]) => name).sort()).toEqual(REQUIRED[program])
})

test.each(Object.keys(programs) as (keyof typeof programs)[])(
  '%s does not run with weak secrets, and does not show them',
  async (program) => {
    const weak = Object.entries(WEAK).filter(([name]) => REQUIRED[program].includes(name))
    const { said, code } = await boot(program, { ...settings, ...Object.fromEntries(weak) })
    expect(code).toBe(1)
    for (const [name, secret] of weak) {
      expect(said).toMatch(new RegExp(`${name} must `))
      expect(said).not.toContain(secret)
    }
  },
)

test.each(Object.keys(tools) as (keyof typeof tools)[])(
  '%s says in a line what it was not told, and that there is no database',
  async (tool) => {
    const untold = await boot(tool, { MODE: 'production' })
    expect([untold.code, untold.said]).toEqual([1, expect.stringMatching(/DATABASE_URL must be set in production/)])
    const alone = await boot(tool, settings)
    expect([alone.code, alone.said]).toEqual([
      1,
      expect.stringMatching(/^[\w-]+ did not start: .*ECONNREFUSED.*\. Look at (CLOB_)?DATABASE_URL\n$/),
    ])
    expect(untold.said).not.toMatch(STACK)
  },
)

test('the exchange says in a line that its database is away', async () => {
  const { said, code } = await boot('exchange', settings)
  expect([code, said]).toEqual([1, expect.stringMatching(/^clob-server did not start: .*ECONNREFUSED.*\. Look at CLOB_DATABASE_URL\n$/)])
})

test('the exchange says in a line that its database does not speak TLS', async () => {
  const plain = await boot('exchange', { ...settings, CLOB_DATABASE_URL: `${await createDatabase()}?sslmode=verify-full` })
  expect([plain.code, plain.said]).toEqual([
    1,
    expect.stringMatching(/^clob-server did not start: The server does not support SSL connections\. Look at CLOB_DATABASE_URL\n$/),
  ])
})

test.each([
  ...(['exchange', 'accept-restored', 'rebuild-read-model'] as const).map((program) => [program, 'clob', migrateClob] as const),
  ...(['worker', 'rotate-keys', 'verify-audit'] as const).map((program) => [program, 'platform', migratePlatform] as const),
])('%s says that its database was never migrated, or is older, and which command mends it', async (program, database, migrate) => {
  const at = (url: string) => ({ ...settings, [database === 'clob' ? 'CLOB_DATABASE_URL' : 'DATABASE_URL']: url })
  const mended = `Run npm run migrate ${database}; in a container, node /augury/packages/domain/src/migrate.ts ${database}`
  const empty = await boot(program, at(await createDatabase()))
  expect([empty.code, empty.said]).toEqual([1, expect.stringContaining(`the database ${database} was never migrated, and Migration`)])
  expect(empty.said).toContain(`${NEWEST[database]} is needed. ${mended}\n`)
  const url = await migratedDatabase(database, migrate)
  await query(url, `update mikro_orm_migrations set name = 'Migration20261120000000_before' where name = $1`, [NEWEST[database]])
  const older = await boot(program, at(url))
  expect([older.code, older.said]).toEqual([1, expect.stringMatching(`the database ${database} is older .* it ends with Migration`)])
})

test('the worker says in a line that its port is taken', async () => {
  const holder = createServer().listen(0, '127.0.0.1')
  await once(holder, 'listening')
  const { said, code } = await boot('worker', { ...settings, WORKER_PORT: String((holder.address() as AddressInfo).port) })
  holder.close()
  expect([code, said]).toEqual([1, expect.stringMatching(/^sync-worker did not start: .*EADDRINUSE.*\. Look at HOST and WORKER_PORT\n$/m)])
})
