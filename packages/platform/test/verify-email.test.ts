import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { changeEmail } from '../src/account/change-email.ts'
import { confirmEmail, sendEmailVerification } from '../src/account/verify-email.ts'
import { anonymous } from '../src/authorization/viewer.ts'
import { memoryBudgets } from '../src/budgets/budgets.ts'
import { readSession, startSession } from '../src/identity/sessions.ts'
import { mailServer, PASSWORD, read, tokenIn } from './mail-server.ts'
import { testSite, visitWith } from './test-site.ts'

const HOUR = 3_600_000
const { letters, urlWith } = await mailServer()
const smtpUrl = urlWith(PASSWORD)
const { site, clock } = await testSite({ mode: 'sandbox', smtpUrl })

async function newMember(email: string | null = null) {
  const values = [`0x${randomBytes(20).toString('hex')}`, randomBytes(6).toString('hex'), email]
  const [{ id }] = (await site
    .em()
    .execute('insert into users (address, affiliate_code, email) values (?, ?, ?) returning id', values)) as [{ id: string }]
  const visit = visitWith()
  return (await readSession(site, await startSession(site.em(), id, visit, site.now()), visit))!
}
type Member = Awaited<ReturnType<typeof newMember>>
const send = (member: Member, locale?: string) => sendEmailVerification(site, member, { body: { locale } })
const confirm = (token: string) => confirmEmail(site, anonymous, { body: { token } })
const isVerified = async ({ id }: Member) => {
  const [row]: { email_verified: boolean }[] = await site.em().execute('select email_verified from users where id = ?', [id])
  return row!.email_verified
}
const code = (code: string) => expect.objectContaining({ name: 'ServiceError', code })

test('the link in the e-mail confirms the address, again if its answer was lost; the database has no token', async () => {
  const member = await newMember('ada@mail.test')
  await send(member)
  const { from, to, content } = letters.at(-1)!
  expect([from, to]).toEqual(['no-reply@site.test', ['ada@mail.test']])
  expect(read(content).head).toMatch(/^From: "?Augury"? <no-reply@site\.test>$/m)
  expect(read(content).head).toMatch(/^Auto-Submitted: auto-generated$/m)
  const token = tokenIn(content)
  const rows = await site.em().execute('select email_verification::text as row from email_verification')
  expect(JSON.stringify(rows)).not.toContain(token)
  expect(await isVerified(member)).toBe(false)
  const done = { success: true }
  expect(await Promise.all([confirm(token), confirm(token), confirm(token)])).toEqual([done, done, done])
  expect([await isVerified(member), await confirm(token)]).toEqual([true, done])
  const log: { details: object }[] = await site.em().execute('select details from audit_log where subject_id = ? order by id', [member.id])
  expect(log.map(({ details }) => details)).toEqual([{ email: 'verified' }])
  for (const email of ['ada@elsewhere.test', 'ada@mail.test']) {
    await changeEmail(site, member, { body: { email } })
    await expect(confirm(token)).rejects.toEqual(code('email_link_invalid'))
    expect(await isVerified(member)).toBe(false)
  }
})

test.each([
  ['es', 'Confirma tu correo', 'Si no fuiste tú'],
  ['ar', 'أكّد بريدك', 'وإن لم تكن أنت'],
  [undefined, 'Confirm your e-mail', 'If it was not you'],
])('in the language %s', async (locale, _, sentence) => {
  await send(await newMember(`${locale}@words.test`), locale)
  const { head, body } = read(letters.at(-1)!.content)
  expect(head).toMatch(/^Subject: /m)
  expect(body).toContain(sentence)
})

test('a link only confirms the address it was sent to, for an hour', async () => {
  const member = await newMember('bob@mail.test')
  await send(member)
  const old = tokenIn(letters.at(-1)!.content)
  await changeEmail(site, member, { body: { email: 'bob@new.test' } })
  await expect(confirm(old)).rejects.toEqual(code('email_link_invalid'))
  await send(member)
  const late = tokenIn(letters.at(-1)!.content)
  clock.advance(HOUR)
  await expect(confirm(late)).rejects.toEqual(code('email_link_invalid'))
  await expect(confirm('a'.repeat(43))).rejects.toEqual(code('email_link_invalid'))
  expect(await isVerified(member)).toBe(false)
})

test('three e-mails an hour to an address and five for a member, even concurrently', async () => {
  const before = letters.length
  const crowd = await Promise.all(Array.from({ length: 6 }, (_, n) => newMember(n % 2 ? 'Victim@mail.test' : 'victim@mail.test')))
  const asked = await Promise.allSettled(crowd.map((member) => send(member)))
  expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  for (const each of asked) if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'rate_limited', retryAfter: 3600 })
  expect(letters.length - before).toBe(3)
  const member = await newMember()
  for (let n = 0; n < 5; n++) {
    await site.em().execute('update users set email = ? where id = ?', [`many${n}@mail.test`, member.id])
    await send(member)
  }
  await site.em().execute(`update users set email = 'more@mail.test' where id = ?`, [member.id])
  await expect(send(member)).rejects.toEqual(code('rate_limited'))
  clock.advance(HOUR)
  await send(member)
})

test('a refusal by the limit says when the next e-mail is possible', async () => {
  const member = await newMember('early@mail.test')
  await send(member)
  await site.em().execute(`update users set email = 'later@mail.test' where id = ?`, [member.id])
  clock.advance(HOUR / 2)
  for (let n = 0; n < 3; n++) await send(member)
  await expect(send(member)).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 3600 })
  clock.advance(HOUR)
  await send(member)
})

test('an e-mail refused by the server is reported, and does not count', async () => {
  const member = await newMember('eve@full.test')
  for (let n = 0; n < 4; n++) await expect(send(member)).rejects.toEqual(code('email_not_sent'))
})

test('an e-mail that may have been accepted counts, and its link is valid', async () => {
  const member = await newMember('ida@lost.test')
  for (let n = 0; n < 3; n++) await expect(send(member)).rejects.toEqual(code('email_not_sent'))
  await expect(send(member)).rejects.toEqual(code('rate_limited'))
  await confirm(tokenIn(letters.at(-1)!.content))
  expect(await isVerified(member)).toBe(true)
})

test('an unreachable server is reported, and does not count', async () => {
  const { site: alone } = await testSite({ mode: 'sandbox', smtpUrl: 'smtp://127.0.0.1:9' })
  const member = await newMember('gus@mail.test')
  for (let n = 0; n < 4; n++)
    await expect(sendEmailVerification({ ...site, mailer: alone.mailer }, member, { body: {} })).rejects.toEqual(code('email_not_sent'))
})

test('spellings of the same mailbox are counted together', async () => {
  const before = letters.length
  const spellings = ['one.box@mail.test', 'onebox+a@mail.test', 'O.n.e.box+b+c@MAIL.test', 'onebox@mail.test', 'one.box+d@mail.test']
  const asked = []
  for (const spelling of spellings) asked.push(await Promise.allSettled([send(await newMember(spelling))]))
  expect(asked.flat().map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected'])
  expect(letters.length - before).toBe(3)
  await send(await newMember('other.box@mail.test'))
})

test('all members at one client address together have twenty e-mails an hour', async () => {
  const bounded = { ...site, budgets: memoryBudgets() }
  const before = letters.length
  const crowd = await Promise.all(Array.from({ length: 22 }, (_, n) => newMember(`reader${n}@mail.test`)))
  const asked = await Promise.allSettled(crowd.map((member) => sendEmailVerification(bounded, member, { body: {} })))
  expect(letters.length - before).toBe(20)
  for (const each of asked) if (each.status === 'rejected') expect(each.reason).toEqual(code('rate_limited'))
  const visit = { ...crowd[21]!.visit, clientAddress: '192.0.2.2' }
  await sendEmailVerification(bounded, { ...crowd[21]!, visit }, { body: {} })
})

test('without an address, or without a mail server, the request is refused', async () => {
  await expect(send(await newMember())).rejects.toEqual(code('email_missing'))
  const member = await newMember('fay@mail.test')
  await expect(sendEmailVerification({ ...site, mailer: null }, member, { body: {} })).rejects.toEqual(code('unsupported'))
})

test('in production no e-mail is sent to a server without encryption', async () => {
  const { site: strict } = await testSite({ mode: 'production', smtpUrl })
  const before = letters.length
  await expect(strict.mailer!.send({ sender: 'Augury', to: 'ada@mail.test', subject: 's', text: 't' })).rejects.toThrow()
  expect(letters.length).toBe(before)
})
