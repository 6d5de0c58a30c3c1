import { readFileSync } from 'node:fs'
import { fc } from '@augury/testing/properties'
import { describe, expect, test } from 'vitest'
import { withinWindow } from '../src/headers.ts'
import { signingKey } from '../src/hmac.ts'
import { verifyRequest } from '../src/request.ts'
import { requestSigner } from '../src/request-signer.ts'

interface Vector {
  name: string
  secret: string
  timestamp: number
  method: string
  path: string
  body: string | null
  signature: string
  accept: boolean
}
const vectors = JSON.parse(readFileSync(new URL('vectors/hmac.json', import.meta.url), 'utf8')) as {
  serverNow: number
  windowSeconds: number
  cases: Vector[]
}

const request = ({ timestamp, method, path, body }: Pick<Vector, 'timestamp' | 'method' | 'path' | 'body'>) => {
  const [bare, query = ''] = path.split('?')
  return { timestamp, method, path: bare!, query, body: Buffer.from(body ?? '') }
}

describe('a signed request', () => {
  test.each(vectors.cases)('$name', async (vector) => {
    expect(verifyRequest(signingKey(vector.secret), request(vector), vector.signature, 'svc') !== null).toBe(vector.accept)
    expect(withinWindow(vector.timestamp, vectors.serverNow, vectors.windowSeconds)).toBe(true)
    const sign = await requestSigner(vector.secret)
    const path = vector.method === 'GET' ? vector.path.split('?')[0]! : vector.path
    expect(await sign({ ...vector, path, body: vector.body ?? '' })).toBe(vector.signature)
  })

  test.each([
    [
      'MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=',
      1767225600,
      'DELETE',
      '/cancel-all',
      '',
      'b7dXvfmAgf0XB-P57tvpguso-5OE534ztHxusYwAfVc=',
    ],
    ['MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=', 1767225600, 'GET', '/data/orders', '', 'yQEJQhCeBrg_jNkjy8E1IRfl7ox-V8maNMD9zQ52G9I='],
    [
      'MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=',
      1767225600,
      'DELETE',
      '/order',
      `{"orderID":"0x${'22'.repeat(32)}"}`,
      'ux7RdyjS2alynJTz5V_YvkajoOQBEq6FglFdXJHNL-E=',
    ],
  ])('agrees with established clients (%#)', (secret, timestamp, method, path, body, signature) => {
    expect(verifyRequest(signingKey(secret), request({ timestamp, method, path, body }), signature, 'poly') !== null).toBe(true)
  })

  const good = vectors.cases[0]!
  const flip = (text: string) => (text.startsWith('A') ? `B${text.slice(1)}` : `A${text.slice(1)}`)
  test.each<[string, Partial<Vector>]>([
    ['another body', { body: '{"orderId":"0xabd"}' }],
    ['no body', { body: null }],
    ['a space more', { body: `${good.body} ` }],
    ['another method', { method: 'POST' }],
    ['another path', { path: '/orders' }],
    ['a trailing slash', { path: '/order/' }],
    ['a query of its own', { path: '/order?x=1' }],
    ['another second', { timestamp: good.timestamp + 1 }],
    ['another secret', { secret: flip(good.secret) }],
    ['another signature', { signature: flip(good.signature) }],
    ['the standard alphabet', { signature: good.signature.replace('-', '+').replace('_', '/') }],
    ['no padding', { signature: good.signature.slice(0, -1) }],
    ['stray bits at the end', { signature: `${good.signature.slice(0, 42)}h=` }],
    ['white space', { signature: `${good.signature}\n` }],
    ['nothing', { signature: '' }],
    ['a digest of zeros', { signature: `${'A'.repeat(43)}=` }],
  ])('is refused with %s', (_, change) => {
    const changed = { ...good, ...change }
    expect(verifyRequest(signingKey(changed.secret), request(changed), changed.signature, 'svc') !== null).toBe(false)
  })

  test('established headers may leave the query of a DELETE unsigned, ours may not', async () => {
    const sign = await requestSigner(good.secret)
    const parts = { timestamp: 1, method: 'DELETE', path: '/notifications' }
    const bare = await sign(parts)
    const given = await sign({ ...parts, path: '/notifications?ids=1' })
    const arrived = { ...parts, query: 'ids=1', body: new Uint8Array() }
    const key = signingKey(good.secret)
    const isSigned = (signature: string, dialect: 'svc' | 'poly') => verifyRequest(key, arrived, signature, dialect) !== null
    expect([isSigned(bare, 'poly'), isSigned(given, 'poly')]).toEqual([true, true])
    expect([isSigned(bare, 'svc'), isSigned(given, 'svc')]).toEqual([false, true])
  })

  test('a request below a mount may sign it or not; one at the root must not', async () => {
    const sign = await requestSigner(good.secret)
    const parts = { timestamp: 1, method: 'DELETE' }
    const bare = await sign({ ...parts, path: '/order' })
    const mounted = await sign({ ...parts, path: '/compat/order' })
    const arrived = { ...parts, path: '/order', query: 'ids=1', body: new Uint8Array() }
    const key = signingKey(good.secret)
    const isSigned = (signature: string, mount?: string) => verifyRequest(key, { ...arrived, mount }, signature, 'poly') !== null
    expect([isSigned(bare, '/compat'), isSigned(mounted, '/compat')]).toEqual([true, true])
    expect([isSigned(bare), isSigned(mounted), isSigned(mounted, '/other')]).toEqual([true, false, false])
  })

  test('the client and the server agree on every request', async () => {
    const sign = await requestSigner(good.secret)
    const key = signingKey(good.secret)
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 2 ** 40 }),
        fc.constantFrom('POST', 'DELETE', 'PUT'),
        fc.webPath(),
        fc.string({ unit: 'binary' }),
        async (timestamp, method, path, body) => {
          const signature = await sign({ timestamp, method, path, body })
          expect(verifyRequest(key, { timestamp, method, path, query: '', body: Buffer.from(body) }, signature, 'svc') !== null).toBe(true)
        },
      ),
    )
  })
})

test.each([
  [-31, false],
  [-30, true],
  [0, true],
  [30, true],
  [31, false],
])('a clock that is %i s off is inside the window: %s', (offset, inside) => {
  expect(withinWindow(1_710_000_000 + offset, 1_710_000_000, 30)).toBe(inside)
})
