import { refusals } from '@augury/wire/refusals'
import { expect, test } from 'vitest'
import { Browser, walletOf } from './browser.ts'
import { testSite } from './test-site.ts'

const admin = walletOf(900)
const at = await testSite({ adminWallets: [admin.address.toLowerCase() as `0x${string}`] })
let wallets = 0
const newWallet = () => walletOf(++wallets)
const SESSION = '__Host-augury_session'
const failed = (code: keyof typeof refusals) => ({ error: refusals[code].text, code })

test('the first sign-in creates a member, a wallet and a session; the next finds them', async () => {
  const wallet = newWallet()
  const browser = new Browser(at)
  const first = await browser.signIn(wallet)
  expect(first.status).toBe(200)
  expect(first.body.user).toEqual({
    id: expect.any(String),
    address: wallet.address,
    username: null,
    email: null,
    email_verified: false,
    is_admin: false,
    created_at: '2026-11-20T12:00:00.000Z',
    updated_at: '2026-11-20T12:00:00.000Z',
    total_volume: 0,
    total_trades: 0,
    settings: { trading: { clob: { enabled: false, updatedAt: null }, relayer: { enabled: false, updatedAt: null } }, preferences: {} },
    proxy_wallet_address: '',
    proxy_wallet_signature: '',
    proxy_wallet_status: 'not_started',
    affiliate_code: expect.stringMatching(/^[a-z0-9]{10}$/),
    two_factor_enabled: false,
    ways_in: { passkeys: 0, wallets: 1, recovery_codes: 0, keeps_key: false },
  })
  expect((await browser.get('/api/auth/session')).body).toEqual(first.body.user)
  expect((await new Browser(at).signIn(wallet)).body.user).toEqual(first.body.user)
  const address = wallet.address.toLowerCase()
  expect(await at.rows('select kind, chain_id, is_primary from wallet where address = ?', [address])).toEqual([
    { kind: 'key', chain_id: '80002', is_primary: true },
  ])
  const actions = await at.rows('select action from audit_log where subject_id = ?', [first.body.user.id])
  expect(actions).toEqual([{ action: 'member_created' }])
})

test('a member whose wallet is on the list is an admin', async () => {
  expect((await new Browser(at).signIn(admin)).body.user.is_admin).toBe(true)
})

test('cookies are host-only, secure, http-only and same-site', async () => {
  const browser = new Browser(at)
  const wallet = newWallet()
  const nonce = await browser.post('/api/auth/siwe/nonce')
  const verified = await browser.post('/api/auth/siwe/verify', await browser.signed(wallet, nonce.body.nonce))
  const lines = [...nonce.headers.getSetCookie(), ...verified.headers.getSetCookie()]
  expect(lines.length).toBe(3)
  for (const line of lines) {
    expect(line).toMatch(/^__Host-augury_(session|sign_in)=[\w-]*; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax; Secure$/)
  }
  expect(verified.headers.get('cache-control')).toBe('private, no-store')
})

test('a sandbox over plain http has cookies without these restrictions', async () => {
  const sandbox = await testSite({ mode: 'sandbox', origin: 'http://localhost:3000' })
  const { headers } = await new Browser(sandbox).post('/api/auth/siwe/nonce', {}, { headers: { origin: 'http://127.0.0.1:3000' } })
  expect(headers.getSetCookie()).toEqual([
    expect.stringMatching(/^augury_sign_in=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/),
  ])
})

test('the database holds no token, nonce cookie or pending cookie, only their hashes', async () => {
  const browser = new Browser(at)
  const { body } = await browser.signIn(newWallet())
  const tokens = [body.token, browser.jar.get(SESSION)!]
  expect(tokens[0]).toBe(tokens[1])
  expect(body.token).toMatch(/^[\w-]{43}$/)
  const dump = JSON.stringify(await at.rows(`select session::text from session union all select sign_in_nonce::text from sign_in_nonce`))
  expect(tokens.filter((token) => dump.includes(token) || dump.includes(Buffer.from(token).toString('hex')))).toEqual([])
})

test('two hundred tokens are all different', async () => {
  const tokens = new Set<string>()
  const browser = new Browser(at)
  const wallet = newWallet()
  for (let i = 0; i < 200; i++) tokens.add((await browser.signIn(wallet)).body.token)
  expect(tokens.size).toBe(200)
  expect((await browser.get('/api/auth/sessions')).body.length).toBe(1) // each ended the previous one
})

test('a nonce is used once', async () => {
  const browser = new Browser(at)
  const cookie = async () => browser.jar.get('__Host-augury_sign_in')!
  const signed = await browser.signed(newWallet())
  const bound = await cookie()
  expect((await browser.post('/api/auth/siwe/verify', signed)).status).toBe(200)
  browser.jar.set('__Host-augury_sign_in', bound)
  expect(await browser.post('/api/auth/siwe/verify', signed)).toMatchObject({ status: 401, body: failed('nonce_used') })
})

test('a nonce is bound to the browser that requested it', async () => {
  const wallet = newWallet()
  const [one, other] = [new Browser(at), new Browser(at)]
  const signed = await one.signed(wallet)
  expect(await other.post('/api/auth/siwe/verify', signed)).toMatchObject({ status: 401, body: failed('nonce_unknown') })
  await other.post('/api/auth/siwe/nonce')
  expect(await other.post('/api/auth/siwe/verify', signed)).toMatchObject({ status: 401, body: failed('nonce_unknown') })
  expect((await one.post('/api/auth/siwe/verify', signed)).status).toBe(200)
})

test('a nonce is valid for five minutes', async () => {
  const browser = new Browser(at)
  const wallet = newWallet()
  const { nonce } = (await browser.post('/api/auth/siwe/nonce')).body
  expect(nonce).toMatch(/^[A-Za-z0-9]{32}$/)
  at.clock.advance(300_000)
  const late = await browser.post('/api/auth/siwe/verify', await browser.signed(wallet, nonce))
  expect(late).toMatchObject({ status: 401, body: failed('nonce_expired') })
})

test('an unknown nonce is refused', async () => {
  const browser = new Browser(at)
  await browser.post('/api/auth/siwe/nonce')
  const refused = await browser.post('/api/auth/siwe/verify', await browser.signed(newWallet(), 'a'.repeat(32)))
  expect(refused).toMatchObject({ status: 401, body: failed('nonce_unknown') })
})

test('a refused attempt uses up the nonce, and creates no member', async () => {
  const [wallet, thief] = [newWallet(), newWallet()]
  const attempts: [string, (signed: { message: string; signature: string }) => object][] = [
    ['bad_wallet_signature', (signed) => ({ ...signed, signature: `0x${'11'.repeat(65)}` })],
    ['wrong_address', (signed) => ({ ...signed, walletAddress: thief.address })],
    ['wrong_chain', (signed) => ({ ...signed, chainId: 1 })],
    ['wrong_domain', ({ message, signature }) => ({ message: message.replace('site.test', 'evil.test'), signature })],
    ['message_malformed', ({ message, signature }) => ({ message: message.replace('Version: 1', 'Version: 2'), signature })],
  ]
  for (const [code, change] of attempts) {
    const browser = new Browser(at)
    const signed = await browser.signed(wallet)
    expect(await browser.post('/api/auth/siwe/verify', change(signed))).toMatchObject({ status: 401, body: { code } })
    expect(await browser.post('/api/auth/siwe/verify', signed)).toMatchObject({ status: 401, body: failed('nonce_used') })
  }
  expect(await at.rows('select from users where address = ?', [wallet.address.toLowerCase()])).toEqual([])
})

test('a nonce that stands in the statement alone is not the nonce of the message', async () => {
  const [browser, wallet] = [new Browser(at), newWallet()]
  const { nonce } = (await browser.post('/api/auth/siwe/nonce')).body
  const { message: bare } = await browser.signed(wallet, 'b'.repeat(32))
  const message = bare.replace('Sign in.', `Nonce: ${nonce}`)
  const sent = { message, signature: await wallet.signMessage({ message }) }
  expect(await browser.post('/api/auth/siwe/verify', sent)).toMatchObject({ status: 401, body: failed('nonce_unknown') })
  expect((await browser.post('/api/auth/siwe/verify', await browser.signed(wallet, nonce))).status).toBe(200)
})

test.each([
  ['no address and no chain', {}, null],
  ['the wallet that signs', { walletAddress: walletOf(701).address }, null],
  ['the wallet that signs in lower case', { walletAddress: walletOf(701).address.toLowerCase(), chainId: 80002 }, null],
  ['another wallet', { walletAddress: walletOf(702).address }, 'wrong_address'],
  ['another chain', { walletAddress: walletOf(701).address, chainId: 1 }, 'wrong_chain'],
] as const)('a nonce that was requested for %s, and a message sent with it', async (_, named, refusal) => {
  const wallet = walletOf(701)
  for (const where of ['nonce', 'verify']) {
    const browser = new Browser(at)
    const { nonce } = (await browser.post('/api/auth/siwe/nonce', where === 'nonce' ? named : {})).body
    const sent = { ...(await browser.signed(wallet, nonce)), ...(where === 'verify' ? named : {}) }
    const answer = await browser.post('/api/auth/siwe/verify', sent)
    if (refusal === null) expect(answer.status).toBe(200)
    else expect(answer).toMatchObject({ status: 401, body: failed(refusal) })
  }
})

test.each([
  ['an address that is none', { walletAddress: 'vitalik.eth' }],
  ['an address that is too short', { walletAddress: walletOf(1).address.slice(0, -1) }],
  ['a chain of no number', { chainId: '0x1' }],
  ['chain 0', { chainId: 0 }],
  ['an unknown field', { domain: 'site.test' }],
])('%s is refused, for a nonce and with a message', async (_, named) => {
  const browser = new Browser(at)
  expect(await browser.post('/api/auth/siwe/nonce', named)).toMatchObject({ status: 400, body: { code: 'invalid_payload' } })
  const signed = await browser.signed(newWallet())
  expect(await browser.post('/api/auth/siwe/verify', { ...signed, ...named })).toMatchObject({
    status: 400,
    body: { code: 'invalid_payload' },
  })
})

test('a refused message says which part of it was wrong', async () => {
  const browser = new Browser(at)
  const { message, signature } = await browser.signed(newWallet())
  const refused = await browser.post('/api/auth/siwe/verify', { message: message.replace('80002', '080002'), signature })
  const error = 'The sign-in message is not written as ERC-4361 writes it: check its chain ID.'
  expect(refused).toMatchObject({ status: 401, body: { code: 'message_not_canonical', error } })
})

test('known and unknown wallets are refused alike', async () => {
  const [known, unknown] = [newWallet(), newWallet()]
  await new Browser(at).signIn(known)
  const bodies = []
  for (const wallet of [known, unknown]) {
    const browser = new Browser(at)
    const signed = await browser.signed(wallet)
    bodies.push(await browser.post('/api/auth/siwe/verify', { ...signed, signature: `0x${'11'.repeat(65)}` }))
    expect((await browser.post('/api/auth/siwe/nonce', { walletAddress: wallet.address, chainId: 80002 })).status).toBe(200)
  }
  expect(bodies.map(({ status, body }) => [status, body])).toEqual(Array(2).fill([401, failed('bad_wallet_signature')]))
})

test.each<[string, unknown, number, string]>([
  ['no message', { signature: '0x' }, 400, 'invalid_payload'],
  ['a message that is too long', { message: 'a'.repeat(4097), signature: '0x' }, 400, 'invalid_payload'],
  ['a signature that is too long', { message: 'a', signature: `0x${'00'.repeat(8193)}` }, 400, 'invalid_payload'],
  ['an unknown field', { message: 'a', signature: '0x', is_admin: true }, 400, 'invalid_payload'],
  ['an address instead of a message', { message: walletOf(1).address, signature: '0x' }, 401, 'message_malformed'],
  ['fields instead of a message', { message: { domain: 'site.test' }, signature: '0x' }, 400, 'invalid_payload'],
])('verify refuses %s', async (_, body, status, code) => {
  const refused = await new Browser(at).post('/api/auth/siwe/verify', body)
  expect([refused.status, refused.body.code, refused.headers.getSetCookie()]).toEqual([status, code, []])
})

test('each step of a sign-in is limited to thirty a minute by address; forged forwarding headers are ignored', async () => {
  const strict = await testSite({}, 1)
  const ask = (clientAddress: string, claimed: number) =>
    new Browser(strict).post(
      '/api/auth/siwe/nonce',
      {},
      { clientAddress, headers: { 'x-forwarded-for': `10.0.0.${claimed}`, 'x-real-ip': `10.0.0.${claimed}` } },
    )
  const statuses = []
  for (let i = 0; i < 31; i++) statuses.push((await ask('198.51.100.7', i)).status)
  expect(statuses).toEqual([...Array(30).fill(200), 429])
  const { body, headers } = await ask('198.51.100.7', 99)
  const wait = headers.get('retry-after')
  expect([body, Number(wait) >= 1]).toEqual([{ error: 'Too Many Requests', code: 'rate_limited' }, true])
  const standing = ['policy', '', 'limit', 'remaining', 'reset'].map((name) => headers.get(`ratelimit${name && `-${name}`}`))
  expect(standing).toEqual(['"signIn";q=30;w=60', `"signIn";r=0;t=${wait}`, '30', '0', wait])
  expect((await ask('198.51.100.8', 0)).status).toBe(200)
})

test('there were no unexpected failures', () => {
  expect(at.bugs).toEqual([])
})
