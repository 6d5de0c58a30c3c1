import { expect, test } from 'vitest'
import { Browser, walletOf } from './browser.ts'
import { testSite } from './test-site.ts'

const at = await testSite()
const SESSION = '__Host-augury_session'
const DAY = 86_400_000
const unauthenticated = { error: 'Unauthenticated.', code: 'unauthenticated' }
let wallets = 1000
const signedIn = async (wallet = walletOf(++wallets)) => {
  const browser = new Browser(at)
  const { body } = await browser.signIn(wallet)
  return { browser, wallet, user: body.user, token: body.token as string }
}

test('signing out ends the session at once, for every copy of its cookie', async () => {
  const { browser, token } = await signedIn()
  const copy = browser.jar.get(SESSION)!
  const { status, body, headers } = await browser.post('/api/auth/sign-out')
  expect([status, body]).toEqual([200, { success: true }])
  expect(headers.get('clear-site-data')).toBe('"cache", "storage"')
  expect(browser.jar.has(SESSION)).toBe(false)
  const thief = new Browser(at)
  thief.jar.set(SESSION, copy)
  expect(await thief.get('/api/auth/sessions')).toMatchObject({ status: 401, body: unauthenticated })
  expect(await thief.get('/api/auth/session')).toMatchObject({ status: 200, body: null })
  const bearer = { headers: { authorization: `Bearer ${token}`, cookie: null } }
  expect(await new Browser(at).get('/api/auth/sessions', bearer)).toMatchObject({ status: 401, body: unauthenticated })
  expect((await browser.post('/api/auth/sign-out')).status).toBe(200) // twice is not an error
})

test("a new sign-in ends the browser's previous session, and a planted cookie is never accepted", async () => {
  const { browser, wallet } = await signedIn()
  const before = browser.jar.get(SESSION)!
  await browser.signIn(wallet)
  expect(browser.jar.get(SESSION)).not.toBe(before)
  const planted = new Browser(at)
  planted.jar.set(SESSION, before)
  expect((await planted.get('/api/auth/session')).body).toBeNull()
  await planted.signIn(walletOf(++wallets))
  expect(planted.jar.get(SESSION)).not.toBe(before)
})

test('a script sends the token instead of the cookie', async () => {
  const { token, user } = await signedIn()
  const script = new Browser(at)
  const withToken = (authorization: string) => ({ headers: { authorization, origin: null, 'content-type': null } })
  expect((await script.get('/api/auth/session', withToken(`Bearer ${token}`))).body).toEqual(user)
  expect((await script.get('/api/auth/session', withToken(`bearer ${token}`))).body).toEqual(user)
  for (const wrong of [
    '',
    'Bearer',
    'Bearer ',
    'Bearer undefined',
    'Bearer null',
    `Bearer ${token}x`,
    `Bearer  ${token}`,
    `Basic ${token}`,
    token,
  ]) {
    expect((await script.get('/api/auth/session', withToken(wrong))).body).toBeNull()
  }
  const [{ id }] = (await script.get('/api/auth/sessions', withToken(`Bearer ${token}`))).body
  expect((await script.call('DELETE', `/api/auth/sessions/${id}`, undefined, withToken(`Bearer ${token}`))).status).toBe(200)
})

test('of two cookies with the same name the first counts', async () => {
  const { browser } = await signedIn()
  const [right, wrong] = [`${SESSION}=${browser.jar.get(SESSION)}`, `${SESSION}=${'a'.repeat(43)}`]
  const ask = async (cookie: string) => (await new Browser(at).get('/api/auth/sessions', { headers: { cookie } })).status
  expect([await ask(`${right}; ${wrong}`), await ask(`${wrong}; ${right}`), await ask(`${right}, ${right}`)]).toEqual([200, 401, 401])
})

test('an invalid token is refused even with a valid cookie', async () => {
  const { browser } = await signedIn()
  expect((await browser.get('/api/auth/sessions', { headers: { authorization: `Bearer ${'a'.repeat(43)}` } })).status).toBe(401)
})

test.each([
  ['a week of rest', [7 * DAY], 401],
  ['a little less than a week of rest', [7 * DAY - 1], 200],
  ['thirty days of use', Array(5).fill(6 * DAY), 401],
  ['twenty-nine days of use', [...Array(4).fill(6 * DAY), 5 * DAY], 200],
])('after %s a session is valid or not', async (_, rests, status) => {
  const { browser } = await signedIn()
  const answers = []
  for (const rest of rests) {
    at.clock.advance(rest)
    answers.push((await browser.get('/api/auth/sessions')).status)
  }
  expect(answers).toEqual([...Array(rests.length - 1).fill(200), status])
})

test('a member sees their sessions and can end any of them', async () => {
  const wallet = walletOf(++wallets)
  const one = await signedIn(wallet)
  at.clock.advance(1000)
  const two = await signedIn(wallet)
  at.clock.advance(1000)
  const three = await signedIn(wallet)
  const list = (await one.browser.get('/api/auth/sessions')).body
  expect(list.map(({ current }: { current: boolean }) => current)).toEqual([false, false, true])
  expect(Object.keys(list[0]).sort()).toEqual(['client_address', 'created_at', 'current', 'id', 'last_seen_at', 'user_agent'])
  expect(list[0]).toMatchObject({ client_address: '192.0.2.1', created_at: expect.stringMatching(/Z$/) })

  expect((await one.browser.call('DELETE', `/api/auth/sessions/${list[0].id}`)).status).toBe(200)
  expect((await three.browser.get('/api/auth/sessions')).status).toBe(401)
  expect((await two.browser.get('/api/auth/sessions')).body.length).toBe(2)
  expect((await two.browser.call('DELETE', '/api/auth/sessions/others')).status).toBe(200)
  expect((await one.browser.get('/api/auth/sessions')).status).toBe(401)
  expect((await two.browser.get('/api/auth/sessions')).body.length).toBe(1)
})

test('a member cannot end another member’s session', async () => {
  const [one, other] = [await signedIn(), await signedIn()]
  const [{ id }] = (await other.browser.get('/api/auth/sessions')).body
  const refused = { error: 'Session not found.', code: 'session_not_found' }
  expect(await one.browser.call('DELETE', `/api/auth/sessions/${id}`)).toMatchObject({ status: 404, body: refused })
  expect(await one.browser.call('DELETE', '/api/auth/sessions/01890a5d-ac96-774b-bcce-b302099a8057')).toMatchObject({
    status: 404,
    body: refused,
  })
  expect((await one.browser.call('DELETE', '/api/auth/sessions/x')).status).toBe(400)
  expect((await other.browser.get('/api/auth/sessions')).status).toBe(200)
})

test('ending the current session removes its cookie', async () => {
  const { browser } = await signedIn()
  const [{ id }] = (await browser.get('/api/auth/sessions')).body
  await browser.call('DELETE', `/api/auth/sessions/${id}`)
  expect(browser.jar.has(SESSION)).toBe(false)
})

test('no response for a member is cacheable', async () => {
  const { browser } = await signedIn()
  for (const path of ['/api/auth/session', '/api/auth/sessions', '/api/events']) {
    const { headers } = await browser.get(path)
    expect([path, headers.get('cache-control'), headers.get('vary')]).toEqual([path, 'private, no-store', 'Cookie, Authorization'])
  }
  expect((await new Browser(at).get('/api/events')).headers.get('cache-control')).toContain('s-maxage=60')
})

test('a member who signed in while the clock was ahead can turn the second factor on after it was set right', async () => {
  const { browser } = await signedIn()
  at.clock.advance(-3_600_000)
  await browser.enroll()
  expect((await browser.get('/api/auth/sessions')).body).toHaveLength(1)
  at.clock.advance(3_600_000)
})

test('two hundred concurrent members each see themselves', async () => {
  const people = []
  for (let i = 0; i < 200; i++) people.push(await signedIn())
  const seen = await Promise.all(people.map(async ({ browser }) => (await browser.get('/api/auth/session')).body.id))
  expect(seen).toEqual(people.map(({ user }) => user.id))
})

test('people are found by name and address, and only public data is shown', async () => {
  const { user, wallet } = await signedIn()
  await at.rows(`update users set username = 'Alice_1', email = 'alice@example.org' where id = ?`, [user.id])
  const find = async (search: string) => (await new Browser(at).get(`/api/users?search=${encodeURIComponent(search)}`)).body
  const found = [{ address: wallet.address, proxy_wallet_address: '', username: 'Alice_1', image: '', created_at: user.created_at }]
  expect(await find('alice')).toEqual(found)
  expect(await find(' ICE_ ')).toEqual(found)
  expect(await find(wallet.address.slice(2, 20))).toEqual(found)
  expect(await find('a')).toEqual([])
  expect(await find('%%')).toEqual([])
  expect(await find('alice@')).toEqual([])
  expect((await find('0x')).length).toBe(10)
  await at.rows('update users set banned_at = now() where id = ?', [user.id])
  expect(await find('alice')).toEqual([])
})

test('there were no unexpected failures', () => {
  expect(at.bugs).toEqual([])
})
