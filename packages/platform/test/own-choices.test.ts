import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { changeEmail } from '../src/account/change-email.ts'
import { changeUsername } from '../src/account/change-username.ts'
import { findPerson } from '../src/account/find-person.ts'
import { getPreferences, limitOrders, muteNotifications, refuseByOwnLimits, takeBreak } from '../src/account/preferences.ts'
import { readSession, startSession } from '../src/identity/sessions.ts'
import { notify } from '../src/notifications/notify.ts'
import { testSite, visitWith } from './test-site.ts'

const { site, clock } = await testSite()
const HOUR = 3_600_000

async function newMember() {
  const values = [`0x${randomBytes(20).toString('hex')}`, randomBytes(6).toString('hex')]
  const [{ id }] = (await site.em().execute('insert into users (address, affiliate_code) values (?, ?) returning id', values)) as [
    { id: string },
  ]
  const visit = visitWith()
  return (await readSession(site, await startSession(site.em(), id, visit, site.now()), visit))!
}
const buy = (amount: string) => ({ tokenId: '1', side: 'BUY', orderType: 'FAK', amount }) as const
const bid = (price: string, size: string) => ({ tokenId: '1', side: 'BUY', orderType: 'GTC', price, size }) as const
const sell = { tokenId: '1', side: 'SELL', orderType: 'FAK', amount: '1000' } as const
const code = (code: string) => expect.objectContaining({ name: 'ServiceError', code })

test('a username is unique, ignoring case', async () => {
  const [ada, bob] = [await newMember(), await newMember()]
  expect(await changeUsername(site, ada, { body: { username: 'Ada_1' } })).toMatchObject({ username: 'Ada_1' })
  await expect(changeUsername(site, bob, { body: { username: 'ADA_1' } })).rejects.toEqual(code('username_taken'))
  expect(await changeUsername(site, ada, { body: { username: null } })).toMatchObject({ username: null })
  for (const _ of ['first', 'again, because its answer was lost'])
    expect(await changeUsername(site, bob, { body: { username: 'ADA_1' } })).toMatchObject({ username: 'ADA_1' })
  const log: { details: object }[] = await site.em().execute('select details from audit_log where subject_id = ?', [bob.id])
  expect(log.map(({ details }) => details)).toEqual([{ username: 'ADA_1' }])
})

test('a name reserved for the site is refused, except for admins and for members who have it already', async () => {
  const [ada, bob] = [await newMember(), await newMember()]
  await expect(changeUsername(site, ada, { body: { username: 'Supp0rt_1' } })).rejects.toEqual(code('username_reserved'))
  await site.em().execute("update users set username = 'Supp0rt_1' where id = ?", [ada.id])
  expect(await changeUsername(site, ada, { body: { username: 'supp0rt_1' } })).toMatchObject({ username: 'supp0rt_1' })
  await expect(changeUsername(site, bob, { body: { username: 'supp0rt_1' } })).rejects.toEqual(code('username_reserved'))
  expect(await changeUsername(site, { ...bob, isAdmin: true }, { body: { username: 'Support' } })).toMatchObject({ username: 'Support' })
})

test('changing the e-mail address needs a fresh proof, unverifies it, and is logged without the address', async () => {
  const member = await newMember()
  const email = (to: string | null) => changeEmail(site, member, { body: { email: to } })
  expect(await email('ada@example.org')).toMatchObject({ email: 'ada@example.org', email_verified: false })
  await site.em().execute('update users set email_verified = true where id = ?', [member.id])
  expect(await email('ada@example.org')).toMatchObject({ email_verified: true })
  expect(await email('ada@example.com')).toMatchObject({ email: 'ada@example.com', email_verified: false })
  expect(await email(null)).toMatchObject({ email: null, email_verified: false })
  const log: { details: object }[] = await site.em().execute('select details from audit_log where subject_id = ? order by id', [member.id])
  expect(log.map(({ details }) => details)).toEqual([{ email: 'set' }, { email: 'set' }, { email: 'removed' }])
  clock.advance(HOUR)
  await expect(email('thief@example.org')).rejects.toEqual(code('step_up_required'))
  clock.advance(-HOUR)
})

test('muted notifications are not created, except those about security', async () => {
  const member = await newMember()
  await muteNotifications(site, member, { body: { muted: ['trade', 'trade'] } })
  for (const category of ['trade', 'general', 'system'] as const) {
    await notify(site.em(), member.id, { kind: 'test', source: category, category, title: category, description: '', at: site.now() })
  }
  const told: { title: string }[] = await site.em().execute('select title from notification where user_id = ? order by title', [member.id])
  expect(told.map(({ title }) => title)).toEqual(['general', 'system'])
  expect(await getPreferences(site, member)).toMatchObject({ muted: ['trade'] })
})

test('a tighter limit applies at once, a looser one after a day; sales are not limited', async () => {
  const member = await newMember()
  await limitOrders(site, member, { body: { orderMax: '10000000' } })
  await refuseByOwnLimits(site, member, buy('10'))
  await refuseByOwnLimits(site, member, bid('0.5', '20'))
  await refuseByOwnLimits(site, member, sell)
  for (const order of [buy('10.000001'), bid('0.5', '20.02')]) {
    await expect(refuseByOwnLimits(site, member, order)).rejects.toEqual(code('own_limit'))
  }

  // Invalid orders are left to the exchange to refuse.
  for (const order of [buy('0.0000001'), buy('9999999999999999'), bid('0.00001', '20'), bid('2', '20'), bid('0.5', '0.001')])
    await refuseByOwnLimits(site, member, order)

  const { limits } = await limitOrders(site, member, { body: { orderMax: null } })
  expect(limits).toMatchObject({ orderMax: '10000000', orderMaxNext: null, loosensAt: '2026-11-21T12:00:00.000Z' })
  clock.advance(24 * HOUR - 1)
  await expect(refuseByOwnLimits(site, member, buy('11'))).rejects.toEqual(code('own_limit'))
  clock.advance(1)
  await refuseByOwnLimits(site, member, buy('11'))
  expect((await getPreferences(site, member)).limits).toMatchObject({ orderMax: null, loosensAt: null })
})

test('a break prevents every order, and can be extended but not shortened', async () => {
  const member = await newMember()
  const long = await takeBreak(site, member, { body: { hours: 168 } })
  expect(await takeBreak(site, member, { body: { hours: 24 } })).toEqual(long)
  for (const order of [buy('1'), sell]) await expect(refuseByOwnLimits(site, member, order)).rejects.toEqual(code('taking_break'))
  clock.advance(168 * HOUR)
  await refuseByOwnLimits(site, member, buy('1'))
  expect((await getPreferences(site, member)).limits.breakUntil).toBeNull()
})

test('a person is found by name, ignoring case, and by address; an unknown name is not found', async () => {
  const member = await newMember()
  const { address } = await changeUsername(site, member, { body: { username: 'Grace' } })
  expect(await findPerson(site, 'gRACE')).toMatchObject({ username: 'Grace', address })
  expect(await findPerson(site, address.toLowerCase())).toMatchObject({ username: 'Grace', address })
  expect(await findPerson(site, `0x${'1'.repeat(40)}`)).toMatchObject({ username: null, created_at: null })
  expect(await findPerson(site, 'unknown')).toBeNull()
})
