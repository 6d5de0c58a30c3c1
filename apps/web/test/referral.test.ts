import { expect, test } from 'vitest'
import { followReferral } from '../src/lib/server/referral.ts'

const now = new Date('2026-11-20T12:00:00Z')
const isCode = async (code: string) => {
  if (code === 'faulty') throw new Error('the database is away')
  return code === 'abc123'
}
const follow = (address: string, method = 'GET', origin = 'https://site.test') =>
  followReferral(new Request(address, { method }), { origin, now, isCode })

test('a link leaves a cookie for 30 days and leads on without its code', async () => {
  const response = (await follow('https://site.test/event/rain?r=abc123&sort=new'))!
  expect([response.status, response.headers.get('location'), response.headers.get('cache-control')]).toEqual([
    303,
    '/event/rain?sort=new',
    'private, no-store',
  ])
  expect(response.headers.getSetCookie()).toEqual([
    '__Host-augury_referral=abc123-tosuo0; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax; Secure',
  ])
  const plain = await follow('http://localhost:3000/r/abc123?to=/c/sports', 'GET', 'http://localhost:3000')
  expect(plain!.headers.getSetCookie()).toEqual(['augury_referral=abc123-tosuo0; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax'])
})

test.each([
  ['no code', 'https://site.test/event/rain', 'GET'],
  ['a form', 'https://site.test/?r=abc123', 'POST'],
  ['what is no code', 'https://site.test/?r=a%0d%0aSet-Cookie:x', 'GET'],
])('%s leads nowhere', async (_, address, method) => {
  expect(await follow(address, method)).toBeNull()
})

test.each(['x', 'a b', '%F0%9F%8F%86', 'abc123/x', '', '%E0%A4%A'])(
  'the malformed code “%s” leads home, and leaves an earlier link’s cookie',
  async (code) => {
    const response = (await follow(`https://site.test/r/${code}`))!
    expect([response.status, response.headers.get('location'), response.headers.getSetCookie()]).toEqual([303, '/', []])
  },
)

test.each(['nobody', 'faulty'])(
  'the code %s, which is not known to be a referrer’s, leads on and leaves an earlier link’s cookie',
  async (code) => {
    const response = (await follow(`https://site.test/event/rain?r=${code}`))!
    expect([response.status, response.headers.get('location'), response.headers.getSetCookie()]).toEqual([303, '/event/rain', []])
  },
)
