import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { bucketBlobs, diskBlobs } from '../src/outbound/blob-store.ts'

const NAME = `${'a'.repeat(64)}.png`
const BYTES = Buffer.from([1, 2, 3, 0, 255])

/** A fake S3-compatible bucket that refuses unsigned requests. */
const kept = new Map<string, Buffer>()
let broken = 0
const server = createServer(async (request, response) => {
  const body = await buffer(request)
  const { authorization = '', 'x-amz-content-sha256': hash } = request.headers
  const signed =
    /^AWS4-HMAC-SHA256 Credential=AK\/ID\/\d{8}\/eu-1\/s3\/aws4_request, SignedHeaders=[\w;-]*host[\w;-]*, Signature=[0-9a-f]{64}$/
  if (!signed.test(authorization)) return void response.writeHead(403).end()
  if (hash !== 'UNSIGNED-PAYLOAD' && hash !== createHash('sha256').update(body).digest('hex')) return void response.writeHead(400).end()
  if (broken-- > 0) return void response.writeHead(503).end()
  if (request.method === 'PUT') {
    kept.set(request.url!, body)
    return void response.end()
  }
  const found = kept.get(request.url!)
  if (found) response.end(found)
  else response.writeHead(404).end()
})
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await rm(folder, { recursive: true, force: true })
})
const { port } = server.address() as { port: number }
const folder = await mkdtemp(join(tmpdir(), 'augury-blobs-'))

test.each([
  ['a folder', diskBlobs(join(folder, 'deep'))],
  ['a bucket', bucketBlobs(`http://AK%2FID:se%2Fcret@127.0.0.1:${port}/images?region=eu-1`)],
])('%s returns stored objects, and null for others', async (_, blobs) => {
  expect(await blobs.get(NAME)).toBeNull()
  for (const __ of [1, 2]) await blobs.put(NAME, BYTES, 'image/png')
  expect(Buffer.from((await blobs.get(NAME))!)).toEqual(BYTES)
})

test('a folder only has complete files', async () => {
  await Promise.all(Array.from({ length: 20 }, () => diskBlobs(folder).put(NAME, Buffer.alloc(100_000, 7), 'image/png')))
  expect((await readdir(folder)).filter((name) => name.startsWith('.'))).toEqual([])
  expect((await diskBlobs(folder).get(NAME))!.length).toBe(100_000)
})

test('a failing bucket is retried, and a persistent failure is reported', async () => {
  const blobs = bucketBlobs(`http://AK%2FID:se%2Fcret@127.0.0.1:${port}/images?region=eu-1`)
  broken = 1
  await blobs.put(NAME, BYTES, 'image/png')
  broken = 99
  await expect(blobs.get(NAME)).rejects.toThrow('503')
  broken = 0
})
