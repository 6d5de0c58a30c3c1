import { storeCredentials } from '@augury/platform/identity/stored-credentials'
import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { platformApp } from '../src/platform.ts'
import { Browser, walletOf } from './browser.ts'
import { testSite } from './test-site.ts'

test('stored credentials, in clear or sealed, get into no log or response, whatever fails', async () => {
  const lines: string[] = []
  const consoles = (['log', 'info', 'warn', 'error', 'debug'] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation((...said) => void lines.push(said.map(String).join(' '))),
  )
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  const at = await testSite()
  const app = platformApp({ site: at.site, onBug: (error, facts) => log.error({ ...facts, err: error, error }, 'a route failed') })
  const browser = new Browser({ ...at, app })
  const wallet = walletOf(8)
  const { user } = (await browser.signIn(wallet)).body

  const secrets = { secret: 'c2VjcmV0LW9mLXRoZS1jYW5hcnktbnVtYmVyLW9uZQ==', passphrase: 'passphrase-of-the-canary-number-two' }
  const relayed = { key: 'relayer-key', secret: 'secret-of-the-relayer-canary-three', passphrase: 'passphrase-of-relayer-canary-four' }
  const given = { address: wallet.address, key: 'public-key-of-the-canary', ...secrets }
  await storeCredentials(at.site.em(), at.site.vault, user.id, 'clob', given, at.site.now())
  const mark = 'markofthedevicecanaryfive0123456789abcdefgh'
  const known = () =>
    at.rows('insert into trading_context (user_id, slot, context_hash, created_at) values (?, 0, sha256(?::bytea), now())', [
      user.id,
      Buffer.from(mark),
    ])
  await known()
  browser.jar.set('__Host-augury_context', mark)
  const [sealed] = await at.rows('select secret, passphrase from trading_credential')

  const said: string[] = []
  const ask = async (act: () => Promise<{ status: number; body: unknown; headers: Headers }>) => {
    const { status, body } = await act()
    said.push(JSON.stringify(body))
    return status
  }
  const without = async (table: string, act: Parameters<typeof ask>[0]) => {
    await at.rows(`alter table ${table} rename to away`)
    expect(await ask(act)).toBe(500)
    await at.rows(`alter table away rename to ${table}`)
  }
  const order = { tokenId: '1', side: 'BUY', orderType: 'GTC', price: '0.5', size: '5' }
  const place = () => browser.post('/api/orders', order)
  const save = () => browser.post('/api/trading-credentials', { set: 'relayer', address: wallet.address, ...relayed })

  expect(await ask(place)).toBe(500) // the exchange does not answer: outcome unknown
  await without('trading_credential', place)
  await without('trading_context', place)
  await without('trading_credential', save)
  await without('audit_log', save)
  await without('trading_context', save)
  await without('trading_credential', () => browser.get('/api/trading-credentials'))
  expect(await ask(save)).toBe(200)
  await without('audit_log', () => browser.call('DELETE', '/api/trading-credentials?set=relayer'))
  await ask(() => browser.get('/api/trading-credentials'))
  await ask(() => browser.get('/api/auth/session'))
  await at.rows(`update trading_credential set secret = 'v1.1.' || secret where set = 'clob'`)
  expect(await ask(place)).toBe(403) // what cannot be decrypted is marked and reported as broken
  await ask(() => browser.get('/api/notifications'))
  const [changed] = await at.rows(`select string_agg(secret || passphrase, ' ') as all from trading_credential`)
  for (const each of consoles) each.mockRestore()

  expect(lines.length).toBeGreaterThanOrEqual(7)
  const canaries = [
    ...Object.values(secrets),
    relayed.secret,
    relayed.passphrase,
    mark,
    ...Object.values(sealed!),
    changed!.all,
  ] as string[]
  const written = [...lines, ...said].join('\n')
  const found = canaries.filter((canary) =>
    [canary, canary.slice(0, 12), Buffer.from(canary).toString('hex'), Buffer.from(canary).toString('base64')].some(
      (text) => text !== 'v1.1.' && written.includes(text),
    ),
  )
  expect(found).toEqual([])
})
