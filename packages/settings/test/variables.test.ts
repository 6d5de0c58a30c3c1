import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PROGRAMS } from '../src/env.ts'
import { variablesTable } from '../src/table.ts'
import { isSecret, type Name, variables } from '../src/variables.ts'

const ROOT = join(import.meta.dirname, '../../..')

test('the documentation table has every variable, its default and its meaning', () => {
  const lines = variablesTable().split('\n')
  expect(lines).toHaveLength(Object.keys(variables).length + 2)
  expect(lines.find((line) => line.includes('`COMPAT_AUTH`'))).toMatch(/sandbox: `1`; production: `0`/)
  expect(lines.find((line) => line.includes('`KEY_RING`'))).toMatch(/production: required/)
})

test('every variable is read by a program, which the table names', () => {
  const rows = variablesTable().split('\n').slice(2)
  expect(rows.filter((row) => row.split(' | ')[1]!.trim() === '')).toEqual([])
  expect(rows.find((row) => row.startsWith('| `PLATFORM_WALLET_KEY`'))).toContain('| site, worker, npm start |')
})

test('a secret is read only by programs that use it', () => {
  const readers = (name: Name) => Object.keys(PROGRAMS).filter((program) => PROGRAMS[program]!.includes(name))
  const secrets = (Object.keys(variables) as Name[]).filter((name) => isSecret(name) && !name.startsWith('AUGURY_'))
  expect(Object.fromEntries(secrets.map((name) => [name, readers(name)]))).toEqual({
    DATABASE_URL: ['site', 'worker', 'settler', 'migrations', 'npm start'],
    CLOB_DATABASE_URL: ['exchange', 'migrations', 'npm start'],
    REDIS_URL: ['site'],
    KEY_RING: ['site'],
    API_KEY_SECRET: ['exchange'],
    PROOF_KEY_RING: ['exchange'],
    SCHEDULER_SECRET: ['site'],
    PLATFORM_WALLET_KEY: ['site', 'worker', 'npm start'],
    RPC_URL: ['site', 'worker', 'settler', 'npm start', 'npm run deploy-contracts'],
    SECOND_RPC_URL: ['settler'],
    SETTLER_KEY: ['settler', 'npm start'],
    SETTLER_WALLET_KEY: ['settler'],
    SIGNER_URL: ['settler'],
    DEPLOYER_KEY: ['npm run deploy-contracts'],
    ORACLE_A_KEY: ['worker'],
    ORACLE_B_KEY: ['worker'],
    UPLOADS_URL: ['site'],
    SMTP_URL: ['site'],
  })
})

test('every secret of a deployment has its way of being changed in the handbook', () => {
  const handbook = readFileSync(join(ROOT, 'docs/operations/keys.md'), 'utf8')
  const secrets = (Object.keys(variables) as Name[]).filter((name) => isSecret(name) && !name.startsWith('AUGURY_'))
  expect(secrets.filter((name) => !handbook.includes(`\`${name}\``))).toEqual([])
})

/** Words of the sources below these folders, but for the settings themselves. */
function wordsOf(...folders: string[]): Set<string> {
  const isSource = (path: string) => /\.(ts|mjs|svelte)$/.test(path) && !/settings\/src|\/(node_modules|build|test|e2e)\//.test(path)
  const sources = folders
    .map((folder) => join(ROOT, folder))
    .filter(existsSync)
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)))
    .filter(isSource)
    .map((path) => readFileSync(path, 'utf8'))
  return new Set(sources.join().match(/\w+/g))
}
const camel = (name: string) => name.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
const packages = readdirSync(join(ROOT, 'packages')).map((name) => `packages/${name}/src`)

test('every variable is used in the code', () => {
  const words = wordsOf(
    ...packages,
    ...['apps', 'tooling'].flatMap((parent) => readdirSync(join(ROOT, parent)).map((name) => `${parent}/${name}/src`)),
  )
  const checked = ['NODE_ENV', 'SANDBOX_PUBLIC'] // used by the settings themselves
  expect(Object.keys(variables).filter((name) => !words.has(camel(name)) && !checked.includes(name))).toEqual([])
})

test.each([
  ['exchange', ['apps/clob-server/src']],
  ['site', ['apps/web/src']],
  ['worker', ['apps/sync-worker/src']],
  ['settler', ['apps/settler/src']],
])('every variable that %s reads is used by it', (program, own) => {
  const words = wordsOf(...own, ...packages)
  for (const word of readFileSync(join(ROOT, 'apps/web/server.mjs'), 'utf8').match(/\w+/g)!) if (program === 'site') words.add(word)
  expect(PROGRAMS[program]!.filter((name) => !words.has(camel(name)))).toEqual([])
})

test('every default is valid under its own schema', () => {
  for (const [name, { schema, fallback }] of Object.entries(variables)) {
    const texts = Object.values(fallback).filter((text): text is string => typeof text === 'string' && !text.includes('{'))
    for (const text of texts) expect([name, schema.safeParse(text).success]).toEqual([name, true])
  }
})

test("the operators' page contains the table; `vitest run --project settings -u` writes it", async () => {
  const page = `# Environment\n\nEvery variable that a program of Augury reads, from \`packages/settings/src/variables.ts\`.\n\n${variablesTable()}\n`
  await expect(page).toMatchFileSnapshot('../../../docs/operations/environment.md')
})
