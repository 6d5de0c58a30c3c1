import { deploymentOperations } from '@augury/platform/operations'
import { BODY_LIMIT } from '@augury/wire/limits'
import type { Operation } from '@augury/wire/operation'
import { expect, test } from 'vitest'
import { testSite } from '../../platform/test/test-site.ts'
import { servePlatformRoot } from '../src/platform-root.ts'

const { site } = await testSite()
const bugs: unknown[] = []

interface Failed {
  error?: { data: { httpStatus: number; refusal: { code: string; error: string } | null } }
}

/** Sends a body in chunks and returns how many bytes of it were read. */
async function send(names: string, bytes: number) {
  const text = Buffer.from(JSON.stringify({ body: { text: 'x'.repeat(bytes - 20) } }))
  expect(text.length).toBe(bytes)
  let taken = 0
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = text.subarray(taken, taken + 16 * 1024)
      taken += piece.length
      if (piece.length === 0) controller.close()
      else controller.enqueue(piece)
    },
  })
  const headers = { 'content-type': 'application/json', origin: 'https://site.test' }
  const request = new Request(`https://site.test/trpc/${names}`, { method: 'POST', headers, body, duplex: 'half' } as RequestInit)
  const response = await servePlatformRoot(site, request, { clientAddress: '192.0.2.1' }, (error) => void bugs.push(error))
  const answered = (await response.json()) as Failed | Failed[]
  const [{ error } = {}] = [answered].flat()
  return { status: response.status, code: error?.data.refusal?.code, connection: response.headers.get('connection'), taken }
}
const tooLarge = { status: 413, code: 'payload_too_large', connection: 'close' }

const changing = Object.entries<Operation>(deploymentOperations).filter(([, { method }]) => method !== 'GET')
test.each(changing)('%s reads no more than its limit', async (name, { bodyLimit = BODY_LIMIT }) => {
  const { taken, ...refused } = await send(name, bodyLimit + 64 * 1024)
  expect(refused).toEqual(tooLarge)
  expect(taken).toBeLessThan(bodyLimit + 64 * 1024)
  expect((await send(name, bodyLimit)).status).not.toBe(413)
})

test('a batch may be as large as the largest of its calls, however their names are written', async () => {
  expect(await send('changeUsername,signOut?batch=1', BODY_LIMIT + 1)).toMatchObject(tooLarge)
  for (const nothing of ['nothing', 'toString,__proto__?batch=1', '%zz', 'changeUsername,%zz,adminUpload?batch=1']) {
    const { status, taken } = await send(nothing, 4 * BODY_LIMIT)
    expect([nothing, status >= 400 && status < 500, taken < 2 * BODY_LIMIT]).toEqual([nothing, true, true])
  }
  expect((await send('changeUsername,adminUpload?batch=1', BODY_LIMIT + 1)).status).not.toBe(413)
  expect((await send('changeUsername%2CadminUpload?batch=1', BODY_LIMIT + 1)).status).not.toBe(413)
})

test('there were no unexpected failures', () => {
  expect(bugs).toEqual([])
})
