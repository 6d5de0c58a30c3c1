import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { temporaryFolder } from '@augury/testing/temporary-folder'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const programs = { site: 'apps/web/server.mjs', exchange: 'apps/clob-server/src/main.ts', worker: 'apps/sync-worker/src/main.ts' }

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
async function boot(program: keyof typeof programs, environment: Record<string, string>) {
  const env = { DATA_DIR: temporaryFolder('boot'), ...environment }
  const child = spawn(process.execPath, [join(root, programs[program])], { cwd: root, env, stdio: ['ignore', 'ignore', 'pipe'] })
  const [said, [code]] = await Promise.all([text(child.stderr!), once(child, 'close')])
  return { said, code }
}

test.each(Object.keys(programs) as (keyof typeof programs)[])('%s does not run in production without its secrets', async (program) => {
  const { said, code } = await boot(program, { MODE: 'production' })
  expect(code).toBe(1)
  expect([...said.matchAll(/^ *(\w+) must be set in production$/gm)].map(([, name]) => name).sort()).toEqual(REQUIRED[program])
})

test.each(
  (Object.keys(programs) as (keyof typeof programs)[]).flatMap((program) =>
    REQUIRED[program].filter((name) => name in WEAK).map((name) => [program, name as keyof typeof WEAK] as const),
  ),
)('%s does not run with a weak %s, and does not show it', async (program, name) => {
  const { said, code } = await boot(program, { ...settings, [name]: WEAK[name] })
  expect(code).toBe(1)
  expect(said).toMatch(new RegExp(`${name} must `))
  expect(said).not.toContain(WEAK[name])
})
