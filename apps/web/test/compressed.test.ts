import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { compressed } from '../src/lib/server/compressed.ts'

const page = (type = 'text/html; charset=utf-8') =>
  new Response('<p>Yes</p>'.repeat(500), { headers: { 'content-type': type, 'x-own': '1' } })

test('a page is compressed for clients that accept it, with the same content', async () => {
  const answer = compressed(page(), 'br, gzip;q=0.8')
  expect([answer.headers.get('content-encoding'), answer.headers.get('vary'), answer.headers.get('x-own')]).toEqual([
    'gzip',
    'Accept-Encoding',
    '1',
  ])
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect(bytes.length).toBeLessThan(500)
  expect(gunzipSync(bytes).toString()).toBe('<p>Yes</p>'.repeat(500))
})

test.each([
  [null, undefined],
  ['br', undefined],
  ['gzip;q=0', undefined],
  ['br, gzip; q=0.000', undefined],
  ['gzipped, x-gzip, *;q=1', undefined],
  ['gzip', 'image/png'],
])('with %s a body of %s stays as it is', async (accepted, type) => {
  const answer = compressed(page(type), accepted)
  expect(answer.headers.get('content-encoding')).toBeNull()
  expect(await answer.text()).toContain('Yes')
})

test.each(['gzip', 'br,gzip', ' GZIP ; q=0.001 ', 'gzip;q=1.0, identity;q=0'])('“%s” takes gzip', (accepted) =>
  expect(compressed(page(), accepted).headers.get('content-encoding')).toBe('gzip'),
)

test.each([
  ['blanks', `gzip${' '.repeat(15_000)}x`],
  ['a weight', `gzip;q=0.${'1'.repeat(15_000)}x`],
  ['pieces', 'gzip  x,'.repeat(1900)],
  ['weights', `gzip${';q=0'.repeat(3700)}`],
])('a header of as many %s as fit is read in no time', (_, accepted) => {
  const since = performance.now()
  for (let n = 0; n < 20; n++) compressed(page(), accepted).body?.cancel()
  expect(performance.now() - since).toBeLessThan(2000)
})

test('what is written first leaves before the rest is there', async () => {
  const { promise: rest, resolve } = Promise.withResolvers<void>()
  const body = new ReadableStream({
    async start(controller) {
      controller.enqueue(new TextEncoder().encode('first'))
      await rest
      controller.close()
    },
  })
  const answer = compressed(new Response(body, { headers: { 'content-type': 'text/html' } }), 'gzip')
  const reader = answer.body!.pipeThrough(new DecompressionStream('gzip') as never).getReader()
  expect(new TextDecoder().decode((await reader.read()).value as Uint8Array)).toBe('first')
  resolve()
})
