import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { platformApp } from '../src/platform.ts'
import { Browser, walletOf } from './browser.ts'
import { testSite } from './test-site.ts'

test('no secret of a sign-in gets into a log or a refusal, not even when the database fails in the middle', async () => {
  const lines: string[] = []
  const consoles = (['log', 'info', 'warn', 'error', 'debug'] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation((...said) => void lines.push(said.map(String).join(' '))),
  )
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  const at = await testSite()
  const app = platformApp({ site: at.site, onBug: (error, facts) => log.error({ ...facts, err: error, error }, 'a route failed') })
  const watched = { ...at, app }
  const wallet = walletOf(7)

  const browser = new Browser(watched)
  const signed = await browser.signed(wallet)
  const canaries = [browser.jar.get('__Host-augury_sign_in')!, signed.signature, /Nonce: (\w+)/.exec(signed.message)![1]!]
  const { body } = await browser.post('/api/auth/siwe/verify', signed)
  const { secret, recoveryCodes } = await browser.enroll()
  canaries.push(body.token, browser.jar.get('__Host-augury_session')!, secret, ...recoveryCodes)
  const other = new Browser(watched)
  await other.signIn(wallet)
  canaries.push(other.jar.get('__Host-augury_second_factor')!)

  const said: string[] = []
  const fail = async (table: string, act: () => Promise<{ status: number; body: unknown }>) => {
    await at.rows(`alter table ${table} rename to away`)
    const { status, body: refused } = await act()
    expect(status).toBe(500)
    said.push(JSON.stringify(refused))
    await at.rows(`alter table away rename to ${table}`)
  }
  const third = new Browser(watched)
  const again = await third.signed(wallet)
  canaries.push(/Nonce: (\w+)/.exec(again.message)![1]!, again.signature)
  await fail('sign_in_nonce', () => third.post('/api/auth/siwe/verify', again))
  await fail('wallet', () => third.post('/api/auth/siwe/verify', again))
  await fail('session', () => browser.get('/api/auth/session'))
  await fail('pending_second_factor', () => other.post('/api/auth/two-factor/verify-totp', { code: other.code(secret) }))
  await fail('recovery_code', () => other.post('/api/auth/two-factor/verify-totp', { recoveryCode: recoveryCodes[0] }))
  await fail('two_factor', () => browser.post('/api/auth/two-factor/disable', { code: browser.code(secret) }))
  await other.post('/api/auth/siwe/verify', { message: signed.message, signature: `0x${'11'.repeat(65)}` })
  for (const each of consoles) each.mockRestore()

  expect(lines.length).toBeGreaterThanOrEqual(6)
  const written = [...lines, ...said].join('\n')
  const found = canaries.filter((canary) =>
    [canary, canary.slice(0, 12), Buffer.from(canary).toString('hex')].some((text) => written.includes(text)),
  )
  expect(found).toEqual([])
})
