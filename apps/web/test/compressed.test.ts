import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { compressed } from '../src/lib/server/compressed.ts'

const page = (type = 'text/html; charset=utf-8') =>
  new Response('<p>Yes</p>'.repeat(500), { headers: { 'content-type': type, 'x-own': '1' } })

test('a page is answered in fewer bytes to whoever can read them, and says the same', async () => {
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
  ['gzip', 'image/png'],
])('with %s a body of %s stays as it is', async (accepted, type) => {
  const answer = compressed(page(type), accepted)
  expect(answer.headers.get('content-encoding')).toBeNull()
  expect(await answer.text()).toContain('Yes')
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
