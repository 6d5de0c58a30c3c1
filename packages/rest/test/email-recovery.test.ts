import { eventually } from '@augury/testing/eventually'
import { expect, test } from 'vitest'
import { mailServer, PASSWORD } from '../../platform/test/mail-server.ts'
import { Browser } from './browser.ts'
import { holder, newCredential } from './passkey-holder.ts'
import { testSite } from './test-site.ts'

const { letters, urlWith } = await mailServer()
const at = await testSite({ mode: 'sandbox', smtpUrl: urlWith(PASSWORD) })
const ask = (email: string) => new Browser(at).post('/api/auth/passkeys/recovery/email', { email })
const CODE = /[0-9a-z]{5}(-[0-9a-z]{5}){4}/
/** The codes that were emailed so far. */
const codes = () => letters.map((letter) => CODE.exec(JSON.stringify(letter))?.[0])

test('a code goes to the confirmed address of an account with a passkey, once in ten minutes, and works for an hour', async () => {
  const { user } = await holder(at)
  const to = 'otter@example.org'
  await at.rows('update users set email = ? where id = ?', [to, user.id])
  const answers = [await ask(to), await ask('stranger@example.org')]
  expect(answers.map(({ status, body }) => [status, body])).toEqual(Array(2).fill([200, { success: true }]))
  await at.rows('update users set email_verified = true where id = ?', [user.id])
  expect((await ask('Otter@example.org')).body).toEqual({ success: true })
  await eventually(async () => expect(codes()).toHaveLength(1))
  await ask(to)
  const [sent] = await at.rows(`select count(*)::int from audit_log where subject_id = ? and action = 'recovery_code_sent'`, [user.id])
  expect([codes().length, sent!.count]).toEqual([1, 1])

  const code = codes()[0]!
  const browser = new Browser(at)
  const { credential } = await newCredential(browser, { for: 'recovery', code })
  const recovered = await browser.post('/api/auth/passkeys/recovery', { code, credential })
  expect(recovered).toMatchObject({ status: 200, body: { user: { id: user.id, ways_in: { passkeys: 2, recovery_codes: 10 } } } })
  expect((await browser.get('/api/notifications')).body[0].title).toBe('The account was recovered by email')

  at.clock.advance(600_000)
  await ask(to)
  await eventually(async () => expect(codes()).toHaveLength(2))
  at.clock.advance(3_600_000)
  const late = await browser.post('/api/auth/passkeys/options', { for: 'recovery', code: codes()[1] })
  expect(late).toMatchObject({ status: 401, body: { code: 'recovery_code_invalid' } })
})
