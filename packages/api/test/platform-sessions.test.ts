import { deploymentOperations } from '@augury/platform/operations'
import type { Operation } from '@augury/wire/operation'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { signedMessage } from '../../platform/test/signing-in.ts'
import { testSite } from '../../platform/test/test-site.ts'
import { servePlatformRoot } from '../src/platform-root.ts'

const { site } = await testSite()
const bugs: unknown[] = []
const wallet = privateKeyToAccount(`0x${'22'.repeat(32)}`)

interface Sent {
  input?: unknown
  cookies?: Record<string, string>
  headers?: Record<string, string>
}
const send = async (method: 'GET' | 'POST', path: string, { input, cookies = {}, headers = {} }: Sent = {}) => {
  const cookie = Object.entries(cookies)
    .map((pair) => pair.join('='))
    .join('; ')
  const query = method === 'GET' && input !== undefined ? `?input=${encodeURIComponent(JSON.stringify(input))}` : ''
  const usual = { cookie, origin: 'https://site.test', 'content-type': 'application/json' }
  const body = method === 'POST' ? { body: JSON.stringify(input ?? {}) } : {}
  const request = new Request(`https://site.test/trpc/${path}${query}`, { method, headers: { ...usual, ...headers }, ...body })
  const response = await servePlatformRoot(site, request, { clientAddress: '192.0.2.1' }, (error) => void bugs.push(error))
  const left = Object.fromEntries(response.headers.getSetCookie().map((line) => line.split(';')[0]!.split('=') as [string, string]))
  return { status: response.status, body: await response.json(), left, headers: response.headers }
}

async function signIn() {
  const asked = await send('POST', 'issueNonce')
  const { nonce } = asked.body.result.data
  return send('POST', 'signIn', { input: { body: await signedMessage(site, wallet, nonce) }, cookies: asked.left })
}

test('signing in over tRPC sets the cookie that the next call sends', async () => {
  const { body, left } = await signIn()
  expect(body.result.data).toMatchObject({ user: { address: wallet.address }, token: left['__Host-augury_session'] })
  const session = await send('GET', 'getSession', { cookies: left })
  expect(session.body.result.data).toEqual(body.result.data.user)
  const bearer = await send('GET', 'getSession', { headers: { authorization: `Bearer ${body.result.data.token}` } })
  expect(bearer.body.result.data).toEqual(body.result.data.user)
})

test('no response is cacheable, signed in or not', async () => {
  for (const [name, cookies] of [
    ['getSession', (await signIn()).left],
    ['listEvents', {}],
    ['nothing', {}],
  ] as const) {
    const { headers } = await send('GET', name, { cookies })
    expect([name, headers.get('cache-control'), headers.get('vary')]).toEqual([
      name,
      'private, no-store',
      expect.stringContaining('Cookie, Authorization'),
    ])
  }
})

test('a call without a session, or from another site, is refused as over REST', async () => {
  const { left } = await signIn()
  const refusalOf = ({ status, body }: { status: number; body: { error: { data: { refusal: { code: string } } } } }) => [
    status,
    body.error.data.refusal.code,
  ]
  expect(refusalOf(await send('GET', 'listSessions'))).toEqual([401, 'unauthenticated'])
  const evil = { origin: 'https://evil.test' }
  expect(refusalOf(await send('POST', 'endSession', { cookies: left, headers: evil, input: { params: { id: 'others' } } }))).toEqual([
    403,
    'foreign_origin',
  ])
  expect(refusalOf(await send('POST', 'signOut', { cookies: left, headers: { origin: 'null' } }))).toEqual([403, 'foreign_origin'])
  expect((await send('GET', 'getSession', { cookies: left })).body.result.data).not.toBeNull()
})

const operations = Object.entries<Operation>(deploymentOperations)
const methodOf = ({ method }: Operation) => (method === 'GET' ? 'GET' : 'POST')
const codeOf = async (name: string, operation: Operation, sent: Sent = {}) => {
  const { status, body } = await send(methodOf(operation), name, { input: { params: {}, query: {}, body: {} }, ...sent })
  return [status, body.error?.data.refusal?.code]
}
const closed = operations.filter(([, { auth }]) => auth === 'member' || auth === 'admin' || auth === 'scheduler')

test.each(closed)('%s is closed to anonymous callers and to invalid tokens', async (name, operation) => {
  expect(await codeOf(name, operation)).toEqual([401, 'unauthenticated'])
  expect(await codeOf(name, operation, { headers: { authorization: `Bearer ${'a'.repeat(43)}` } })).toEqual([401, 'unauthenticated'])
})

const { left: ofMember } = await signIn()
test.each(closed.filter(([, { auth }]) => auth !== 'member'))('%s is closed to a member', async (name, operation) => {
  const [status, code] = await codeOf(name, operation, { cookies: ofMember })
  expect([status, code]).toEqual(operation.auth === 'admin' ? [403, 'admin_required'] : [401, 'unauthenticated'])
})

const FOREIGN: Record<string, string>[] = [{ origin: 'https://evil.test' }, { origin: 'null' }, { 'sec-fetch-site': 'cross-site' }]
const changing = operations.filter(([, { method, auth }]) => method !== 'GET' && auth !== 'public' && auth !== 'scheduler')
test.each(changing)('%s is closed to pages of other sites', async (name, operation) => {
  for (const headers of FOREIGN) expect(await codeOf(name, operation, { cookies: ofMember, headers })).toEqual([403, 'foreign_origin'])
})

test('a batch reads the session once, and answers each call by its own', async () => {
  const { left } = await signIn()
  let reads = 0
  const counted = {
    ...site,
    sessionReads: {
      ...site.sessionReads,
      find(...asked: Parameters<typeof site.sessionReads.find>) {
        reads++
        return site.sessionReads.find(...asked)
      },
    },
  }
  const request = new Request('https://site.test/trpc/getSession,listSessions,getSession?batch=1', {
    headers: { cookie: `__Host-augury_session=${left['__Host-augury_session']}` },
  })
  const response = await servePlatformRoot(counted, request, { clientAddress: '192.0.2.1' }, (error) => void bugs.push(error))
  const answers = (await response.json()) as { result: { data: unknown } }[]
  expect([answers.length, reads]).toEqual([3, 1])
  expect(answers[0]).toEqual(answers[2])
})

test.each([
  [`${','.repeat(5000)}`, 400],
  [`${'getSession,'.repeat(20)}getSession`, 400],
  [`${'getSession,'.repeat(19)}getSession`, 200],
])('a batch of so many calls answers as it should', async (names, status) => {
  const request = new Request(`https://site.test/trpc/${names}?batch=1`)
  const response = await servePlatformRoot(site, request, { clientAddress: '192.0.2.1' }, () => {})
  expect(response.status).toBe(status)
})

test('there were no unexpected failures', () => {
  expect(bugs).toEqual([])
})
