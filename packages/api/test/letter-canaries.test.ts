import { inspect } from 'node:util'
import { deploymentOperations } from '@augury/platform/operations'
import type { Site } from '@augury/platform/site/site'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test, vi } from 'vitest'
import { mailServer, PASSWORD, tokenIn } from '../../platform/test/mail-server.ts'
import { signedMessage } from '../../platform/test/signing-in.ts'
import { testSite } from '../../platform/test/test-site.ts'
import { servePlatformRoot } from '../src/platform-root.ts'

const WRONG = 'wrong-password-of-the-letters'
const wallet = privateKeyToAccount(`0x${'33'.repeat(32)}`)
const { letters, urlWith } = await mailServer()
const { site, clock } = await testSite({
  mode: 'sandbox',
  smtpUrl: urlWith(PASSWORD),
  adminWallets: [wallet.address.toLowerCase() as `0x${string}`],
})
const { site: mistaken } = await testSite({ mode: 'sandbox', smtpUrl: urlWith(WRONG) })

/** Responses to callers; the log and the tables that admins read are below. */
const answers: string[] = []
const log: string[] = []
const logged = (what: unknown) =>
  void log.push(inspect(what, { depth: 20, showHidden: true, maxStringLength: null, maxArrayLength: null }), JSON.stringify(what))
const cookies = new Map<string, string>()

async function call(name: string, body?: unknown, at: Site = site) {
  const query = deploymentOperations[name as keyof typeof deploymentOperations].method === 'GET'
  const cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
  const request = new Request(`https://site.test/trpc/${name}`, {
    method: query ? 'GET' : 'POST',
    headers: { cookie, origin: 'https://site.test', 'content-type': 'application/json' },
    ...(query ? {} : { body: JSON.stringify({ body }) }),
  })
  const response = await servePlatformRoot(at, request, { clientAddress: '192.0.2.1' }, logged, logged)
  for (const line of response.headers.getSetCookie()) {
    const [pair = ''] = line.split(';')
    cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
  }
  const text = await response.text()
  answers.push(text, JSON.stringify([...response.headers]))
  return { status: response.status, data: JSON.parse(text).result?.data }
}

test('neither the content of an e-mail nor the password of its server gets into a log or a response, whatever fails', async () => {
  const consoles = (['log', 'info', 'warn', 'error', 'debug'] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation((...said) => said.forEach(logged)),
  )
  const { nonce } = (await call('issueNonce', {})).data
  expect((await call('signIn', await signedMessage(site, wallet, nonce))).status).toBe(200)
  expect((await call('changeEmail', { email: 'ada@mail.test' })).status).toBe(200)

  const without = async (table: string, name: string, body: unknown) => {
    await site.em().execute(`alter table ${table} rename to away`)
    expect((await call(name, body)).status).toBe(500)
    await site.em().execute(`alter table away rename to ${table}`)
  }
  await without('email_verification', 'sendEmailVerification', {})
  // The server refuses the site and echoes what it received.
  const elsewhere = (mailer: Site['mailer']) => call('sendEmailVerification', {}, { ...site, mailer })
  expect((await elsewhere(mistaken.mailer)).status).toBe(502)
  expect(log.at(-1)).toContain('"result":"email_not_sent"')
  expect(log.at(-1)).toContain('"reason":"EAUTH at AUTH PLAIN 535"')
  expect((await call('sendEmailVerification', {})).status).toBe(200)
  const token = tokenIn(letters.at(-1)!.content)
  await without('email_verification', 'confirmEmail', { token })
  await without('users', 'confirmEmail', { token })
  await without('audit_log', 'confirmEmail', { token })
  expect((await call('confirmEmail', { token: `${token}${token}` })).status).toBe(400)
  expect((await call('confirmEmail', { token })).status).toBe(200)
  expect((await call('confirmEmail', { token })).status).toBe(200) // its answer may have been lost
  clock.advance(60_000)
  for (const name of ['getSession', 'listSessions'] as const) expect((await call(name)).status).toBe(200)
  const rows = await site.em().execute('select to_jsonb(email_verification) as row from email_verification')
  const audited = await site.em().execute('select to_jsonb(audit_log) as row from audit_log')
  expect(log.join()).toContain('email_verification')
  log.push(JSON.stringify(audited))
  for (const each of consoles) each.mockRestore()

  const canaries = [token, PASSWORD, WRONG, encodeURIComponent(PASSWORD), urlWith(PASSWORD)]
  const all = [...log, ...answers, JSON.stringify(rows)].join('\n')
  const found = canaries.filter((canary) =>
    [canary, canary.slice(0, 12), Buffer.from(canary).toString('hex'), Buffer.from(canary).toString('base64')].some((text) =>
      all.includes(text),
    ),
  )
  expect(found).toEqual([])
  // The address is not secret, but it must not be in the log.
  expect(log.filter((line) => line.includes('ada@mail.test'))).toEqual([])
})
