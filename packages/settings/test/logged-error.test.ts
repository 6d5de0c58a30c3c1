import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkServerIdentity, type PeerCertificate } from 'node:tls'
import { expect, test } from 'vitest'
import { loggedError } from '../src/logged-error.ts'

const ROOT = join(import.meta.dirname, '../../..')

test('a certificate that is not accepted is a line with its reason, and not the certificate', () => {
  const certificate = { subject: { CN: 'other' }, subjectaltname: 'DNS:other', raw: Buffer.alloc(3000) } as unknown as PeerCertificate
  const refused = checkServerIdentity('database.example.org', certificate)
  const wrapped = Object.assign(new Error(refused!.message), refused, { stack: `Error\n${'    at somewhere\n'.repeat(40)}` })
  expect(loggedError(wrapped)).toEqual({
    type: 'Error',
    message: expect.stringMatching(/^Hostname\/IP does not match certificate's altnames: .*database\.example\.org/),
    code: 'ERR_TLS_CERT_ALTNAME_INVALID',
  })
})

test('what a row holds that the database refused is not told', () => {
  const error = Object.assign(new Error('new row for relation "member" violates check constraint "named"'), {
    ...{ code: '23514', severity: 'ERROR', table: 'member', constraint: 'named', detail: 'Failing row contains (a@example.org).' },
    ...{ where: 'in a@example.org', query: `insert into member values ('a@example.org')`, parameters: ['a@example.org'] },
  })
  const { stack, ...logged } = loggedError(new Error('no member was made', { cause: error })) as { stack: string }
  expect(logged).toEqual({
    type: 'Error',
    message: 'no member was made: new row for relation "member" violates check constraint "named"',
    ...{ code: '23514', severity: 'ERROR', table: 'member', constraint: 'named' },
  })
  expect(stack).toMatch(/^Error: no member was made\n +at .*\ncaused by: Error: new row .*\n +at /s)
  expect(JSON.stringify([logged, stack])).not.toContain('a@example.org')
})

test('an unreachable service is logged with every address that was tried, without a stack', () => {
  const tried = ['::1', '127.0.0.1'].map((host) =>
    Object.assign(new Error(`connect ECONNREFUSED ${host}:5432`), { code: 'ECONNREFUSED', syscall: 'connect' }),
  )
  const cause = Object.assign(new AggregateError(tried), { code: 'ECONNREFUSED' })
  expect(loggedError(new TypeError('fetch failed', { cause }))).toEqual({
    type: 'TypeError',
    message: 'fetch failed: connect ECONNREFUSED ::1:5432; connect ECONNREFUSED 127.0.0.1:5432',
    code: 'ECONNREFUSED',
  })
})

test('a message, a stack and a circle of causes have an end', () => {
  const error = new Error('x'.repeat(1_000_000))
  error.cause = error
  expect(JSON.stringify(loggedError(error)).length).toBeLessThan(6000)
})

test('a text stays a text', () => {
  expect(loggedError('the exchange did not answer')).toBe('the exchange did not answer')
})

test('every log of a program writes its errors so', () => {
  const logs = globSync('apps/*/src/**/*.ts', { cwd: ROOT })
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
    .filter(({ text }) => /= pino\(|^ {2}pino\(/m.test(text))
  expect(logs.map(({ path }) => path.split('/')[1]).sort()).toEqual(['clob-server', 'settler', 'sync-worker', 'web'])
  expect(logs.filter(({ text }) => !/serializers: \{ err(or)?: loggedError \}/.test(text))).toEqual([])
})
