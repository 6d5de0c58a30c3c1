import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { fetchImage } from '../src/uploads/fetch-image.ts'

const service = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.png`
}
const HERE = { hosts: 'any', loopback: true } as const

test('an image comes as its bytes', async () => {
  const bytes = Buffer.from([0x89, 0x50, 0xff, 0x00, 0xc3, 0x28])
  const seen: unknown[] = []
  const url = await service(({ headers }, answer) => {
    seen.push(headers)
    answer.end(bytes)
  })
  expect(await fetchImage(url, HERE)).toEqual(bytes)
  expect(seen).toEqual([expect.not.objectContaining({ cookie: expect.anything(), authorization: expect.anything() })])
})

test.each<[string, RequestListener, string]>([
  ['that is not there', (_, answer) => answer.writeHead(404).end('none'), 'status 404'],
  ['that is elsewhere', (_, answer) => answer.writeHead(302, { location: 'http://127.0.0.1/secret' }).end(), 'sends elsewhere'],
  ['that is huge', (_, answer) => answer.end(Buffer.alloc(2 * 1024 * 1024 + 1)), 'more than'],
])('an image %s is unusable', async (_, listener, reason) => {
  const url = await service(listener)
  await expect(fetchImage(url, HERE)).rejects.toMatchObject({
    code: 'image_unusable',
    details: { reason: expect.stringContaining(reason) },
  })
})

test('an image of this machine is never requested', async () => {
  let requests = 0
  const url = await service((_, answer) => {
    requests++
    answer.end()
  })
  for (const address of [url, url.replace('http:', 'https:'), 'https://localhost/a.png'])
    await expect(fetchImage(address)).rejects.toMatchObject({ code: 'image_unusable' })
  expect(requests).toBe(0)
})
