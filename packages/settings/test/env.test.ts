import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, expect, test } from 'vitest'
import { cliSettings, clobSettings, startSettings, webSettings, workerSettings } from '../src/env.ts'

const folder = mkdtempSync(join(tmpdir(), 'augury-settings-'))
afterAll(() => rmSync(folder, { recursive: true }))

const sandbox = { DATA_DIR: join(folder, 'sandbox') }
const secret = 'a secret of at least thirty-two bytes'
const production = {
  MODE: 'production',
  DATA_DIR: join(folder, 'production'),
  DATABASE_URL: 'postgres://platform@db/platform',
  CLOB_DATABASE_URL: 'postgres://clob@db/clob',
  ORIGIN: 'https://example.org',
  PUBLIC_CLOB_URL: 'https://clob.example.org/',
  KEY_RING: `2:${'cd'.repeat(32)},1:${'ab'.repeat(32)}`,
  API_KEY_SECRET: secret,
  PROOF_KEY_RING: 'ef'.repeat(32),
  SCHEDULER_SECRET: secret,
  PLATFORM_WALLET_KEY: `0x${'11'.repeat(32)}`,
}

test('a sandbox needs nothing', () => {
  const { databaseUrl, clobUrl, origin, host, redisUrl, requireProxyWallet, mode } = webSettings(sandbox)
  expect({ databaseUrl, clobUrl, origin, host, redisUrl, requireProxyWallet, mode }).toEqual({
    databaseUrl: 'postgres://postgres@127.0.0.1:3005/platform',
    clobUrl: 'http://127.0.0.1:3001',
    origin: 'http://localhost:3000',
    host: '127.0.0.1',
    redisUrl: null,
    requireProxyWallet: false,
    mode: 'sandbox',
  })
})

test('addresses follow the ports', () => {
  const moved = { ...sandbox, WEB_PORT: '13000', CLOB_PORT: '13001', PG_PORT: '13005' }
  expect(startSettings(moved)).toMatchObject({
    origin: 'http://localhost:13000',
    publicClobUrl: 'http://localhost:13001',
    clobDatabaseUrl: 'postgres://postgres@127.0.0.1:13005/clob',
  })
})

test.each(['/proc/augury', '/dev/null/augury', '/proc/self/augury/data'])(
  'a data folder that cannot be made is one complaint: %s',
  (path) => {
    expect(() => startSettings({ DATA_DIR: path })).toThrow(
      /^The settings do not make sense:\n {2}DATA_DIR must be a folder that can be written \(E\w+; it is “.*”\)$/,
    )
  },
)

test('a sandbox makes its secrets once, readable by their owner alone, and every app reads the same', () => {
  const first = webSettings(sandbox)
  expect(webSettings(sandbox)).toEqual(first)
  expect(workerSettings(sandbox).platformWalletKey).toBe(first.platformWalletKey)
  const wallet = privateKeyToAddress(first.platformWalletKey).toLowerCase()
  expect(clobSettings(sandbox)).toMatchObject({ venueAddresses: [wallet], operatorAddresses: [wallet] })

  const secrets = join(sandbox.DATA_DIR, 'secrets')
  const made = ['API_KEY_SECRET', 'KEY_RING', 'PLATFORM_WALLET_KEY', 'PROOF_KEY_RING', 'SCHEDULER_SECRET', 'SETTLER_KEY']
  expect(readdirSync(secrets).sort()).toEqual(made)
  expect(statSync(secrets).mode & 0o777).toBe(0o700)
  for (const name of readdirSync(secrets)) {
    expect(statSync(join(secrets, name)).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(secrets, name), 'utf8')).toMatch(/^(1:|0x)?[0-9a-f]{64}\n$/)
  }
})

test('an environment variable wins over its default', () => {
  expect(webSettings({ ...sandbox, SCHEDULER_SECRET: secret }).schedulerSecret).toBe(secret)
})

test('production uses what it is given and writes nothing into the data folder', () => {
  const settings = webSettings(production)
  expect(settings.keyRing.map(({ id, key }) => [id, key.length])).toEqual([
    ['2', 32],
    ['1', 32],
  ])
  expect(settings).toMatchObject({ publicClobUrl: 'https://clob.example.org', requireProxyWallet: true })
  expect(clobSettings(production)).toMatchObject({ compatAuth: false, venueAddresses: [], apiKeySecret: secret })
  expect(readdirSync(folder)).not.toContain('production')
})

test('production without its settings lists everything that is missing', () => {
  expect(() => clobSettings({ MODE: 'production' })).toThrowErrorMatchingInlineSnapshot(`
    [SettingsError: The settings do not make sense:
      CLOB_DATABASE_URL must be set in production
      PUBLIC_CLOB_URL must be set in production
      API_KEY_SECRET must be set in production
      PROOF_KEY_RING must be set in production]
  `)
})

test.each([
  [{ WEB_PORT: '70000' }, 'WEB_PORT must be a port number from 1 to 65535 (it is “70000”)'],
  [{ WEB_PORT: '3000x' }, 'WEB_PORT must be a port number'],
  [{ MODE: 'prod' }, 'MODE must be sandbox or production (it is “prod”)'],
  [{ ORIGIN: 'https://example.org/markets' }, 'ORIGIN must be an origin such as https://example.org, without a path'],
  [{ ...production, ORIGIN: 'http://example.org' }, 'ORIGIN must be https in production'],
  [{ REDIS_URL: 'http://cache' }, 'REDIS_URL must be an address that starts with redis:// or rediss://'],
  [{ ADMIN_WALLETS: '0x12' }, 'ADMIN_WALLETS must be addresses of 0x and 40 hex digits'],
  [{ TRUSTED_PROXIES: '10.0.0.0/33' }, 'TRUSTED_PROXIES must be IP addresses or ranges'],
  [{ KEY_RING: `1:${'ab'.repeat(32)},1:${'cd'.repeat(32)}` }, 'KEY_RING must hold at least one key and no id twice'],
  [{ REQUIRE_PROXY_WALLET: 'maybe' }, 'REQUIRE_PROXY_WALLET must be 1 or 0'],
  [{ DATABASE_URL: 'postgres://platform@db' }, 'DATABASE_URL must name a database, as in postgres://user:password@host/name'],
  [
    { DATABASE_URL: 'postgres://db/platform?sslmode=verify-full&sslrootcert=/nowhere.crt' },
    'DATABASE_URL must name files that can be read',
  ],
  ...['p%zz', 'p%', '100%ff', 'p#w', 'p/w', 'p?w'].map((password) => [
    { DATABASE_URL: `postgres://platform:${password}@db/platform` },
    'DATABASE_URL must be an address whose user and password are percent-encoded',
  ]),
] as [Record<string, string>, string][])('%o is refused by name', (wrong, complaint) => {
  expect(() => webSettings({ ...sandbox, ...wrong })).toThrow(complaint)
})

test.each(['%40%2F%23%25', 'p@ss', 'a+b=c&d', 'p$w!', '%C3%A4'])('a password of odd letters is taken: %s', (password) => {
  const url = `postgres://platform:${password}@[::1]:5433/platform?sslmode=verify-full`
  expect(webSettings({ ...sandbox, DATABASE_URL: url }).databaseUrl).toBe(url)
})

test('an invalid variable is reported once, even if other defaults are derived from it', () => {
  const wrong = () => clobSettings({ ...sandbox, CLOB_PORT: 'abc' })
  expect(wrong).toThrow(/^The settings do not make sense:\n {2}CLOB_PORT must be a port number from 1 to 65535 \(it is “abc”\)$/)
})

test.each([
  ['PLATFORM_WALLET_KEY', '0xnotquite'],
  ['SCHEDULER_SECRET', 'too short'],
  ['KEY_RING', 'hunter2'],
  ['DATABASE_URL', 'mysql://root:hunter2@db'],
])('the complaint about %s does not print its value', (name, value) => {
  expect(() => webSettings({ ...sandbox, [name]: value })).toThrow(name)
  expect(() => webSettings({ ...sandbox, [name]: value })).not.toThrow(value)
})

test.each([
  [{ HOST: '0.0.0.0' }, 'HOST must be a loopback address while MODE is sandbox'],
  [{ HOST: 'example.org' }, 'HOST must be a loopback address'],
  [{ NODE_ENV: 'production' }, 'NODE_ENV must not be production while MODE is sandbox'],
])('a sandbox refuses %o unless SANDBOX_PUBLIC=1', (open, complaint) => {
  expect(() => clobSettings({ ...sandbox, ...open })).toThrow(complaint)
  expect(clobSettings({ ...sandbox, ...open, SANDBOX_PUBLIC: '1' }).mode).toBe('sandbox')
})

test.each(['127.0.0.1', '127.8.8.8', '::1', 'localhost'])('a sandbox may listen on %s', (host) => {
  expect(clobSettings({ ...sandbox, HOST: host }).host).toBe(host)
})

test('the command line runs anywhere: it serves nothing, and its secrets are never shown', () => {
  const { auguryUrl, auguryKeyFile } = cliSettings({ NODE_ENV: 'production', HOST: '0.0.0.0', CLOB_PORT: '13001' })
  expect({ auguryUrl, auguryKeyFile }).toEqual({ auguryUrl: 'http://127.0.0.1:13001', auguryKeyFile: null })
  expect(() => cliSettings({ AUGURY_WALLET_KEY: '0x12' })).toThrow(/AUGURY_WALLET_KEY must be 0x and 64 hex digits$/)
})
