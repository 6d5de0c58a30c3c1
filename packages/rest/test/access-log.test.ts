import type { Access } from '@augury/platform/identity/access-log'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { platformApp } from '../src/platform.ts'
import { Browser, walletOf } from './browser.ts'
import { testSite } from './test-site.ts'

const opened = await testSite({ adminWallets: [walletOf(8800).address.toLowerCase() as `0x${string}`] })
const lines: string[] = []
const log = pino({ base: null }, { write: (line: string) => void lines.push(line) })
const app = platformApp({
  site: opened.site,
  onBug: (error) => void opened.bugs.push(error),
  onAccess: (access) => log.info(access, 'access'),
})
const at = { ...opened, app }
/** Entries written since the last call. */
const written = () => lines.splice(0).map((line) => JSON.parse(line) as Access)

test('sign-ins and failed sign-ins are logged with user, operation, address and request id', async () => {
  const browser = new Browser(at)
  const { body, headers } = await browser.signIn(walletOf(8801))
  const from = { clientAddress: '192.0.2.1', requestId: headers.get('x-request-id') }
  expect(written()).toMatchObject([{ operation: 'signIn', actor: body.user.id, result: 'passed', ...from }])
  const { message } = await browser.signed(walletOf(8801))
  const { signature } = await browser.signed(walletOf(8802))
  await browser.post('/api/auth/siwe/verify', { message, signature })
  await browser.post('/api/auth/sign-out')
  expect(written()).toMatchObject([
    { operation: 'signIn', actor: body.user.id, result: 'bad_wallet_signature' },
    { operation: 'signOut', actor: body.user.id, result: 'passed' },
  ])
})

test('each step of the second factor is logged', async () => {
  const browser = new Browser(at)
  const { user } = (await browser.signIn(walletOf(8803))).body
  const { secret } = await browser.enroll()
  written()
  await browser.signIn(walletOf(8803))
  await browser.post('/api/auth/two-factor/verify-totp', { code: browser.code(secret, 50) })
  await browser.post('/api/auth/two-factor/verify-totp', { code: browser.code(secret) })
  expect(written()).toMatchObject([
    { operation: 'signIn', result: 'second_factor_pending' },
    { operation: 'verifyTotp', result: 'second_factor_failed' },
    { operation: 'verifyTotp', actor: user.id, result: 'passed' },
  ])
})

test('refused access is logged, anonymous page views are not', async () => {
  const member = new Browser(at)
  const { user } = (await member.signIn(walletOf(8804))).body
  written()
  await new Browser(at).get('/admin/api/users')
  await member.get('/admin/api/users')
  await member.post('/api/comments', {}, { headers: { origin: 'https://evil.test' } })
  await new Browser(at).get('/api/sync/events', { headers: { authorization: 'Bearer guess' } })
  await new Browser(at).get('/api/notifications')
  await member.get('/api/notifications')
  await member.get('/api/events')
  expect(written()).toMatchObject([
    { operation: 'adminUsers', actor: null, result: 'unauthenticated' },
    { operation: 'adminUsers', actor: user.id, result: 'admin_required' },
    { operation: 'addComment', actor: null, result: 'foreign_origin' },
    { operation: 'syncEvents', actor: null, result: 'unauthenticated' },
  ])
})

test('failures of external services are logged', async () => {
  const admin = new Browser(at)
  const { user } = (await admin.signIn(walletOf(8800))).body
  written()
  const { status, body } = await admin.post('/admin/api/openrouter-models', { apiKey: 'sk-canary' })
  expect([status, body.code]).toEqual([502, 'model_failed'])
  expect(lines.join()).not.toContain('canary')
  const entry = { operation: 'adminOpenrouterModels', actor: user.id, result: 'model_failed', reason: body.details.reason }
  expect(written()).toMatchObject([entry])
  expect(entry.reason).toContain('127.0.0.1:9')
})

test('no text of a caller gets into the log, and each entry is one line', async () => {
  const evil = 'x forged {"level":60}'
  const browser = new Browser(at)
  const headers = { 'user-agent': evil, 'x-request-id': evil, referer: `https://${evil}` }
  await browser.post('/api/auth/siwe/verify', { message: `${evil}\n\u001b[31m{"a":1}`, signature: '0x12' }, { headers })
  await browser.get('/admin/api/users?search=%0a%1b[31mforged', { headers })
  expect(lines).toHaveLength(2)
  for (const line of lines) {
    expect(line).toMatch(/^[ -~]+\n$/)
    expect(line).not.toMatch(/31m|forged/)
  }
  written()
})

test('there were no unexpected failures', () => {
  expect(at.bugs).toEqual([])
})
