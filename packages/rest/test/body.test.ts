import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { BODY_LIMIT } from '@augury/wire/limits'
import { expect, onTestFinished, test, vi } from 'vitest'
import { onBody, readBody } from '../src/body.ts'

test('a body over the limit is refused without cutting the connection that the answer needs', async () => {
  let cut = false
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(1000)),
    cancel() {
      cut = true
    },
  })
  await expect(readBody(endless, 5000)).rejects.toMatchObject({ code: 'payload_too_large' })
  expect(cut).toBe(false)
})

test('a body that the HTTP server finds too large is refused in the same way', async () => {
  const stopped = new ReadableStream<Uint8Array>({
    start: (controller) => controller.error(Object.assign(new Error('Payload Too Large'), { status: 413 })),
  })
  await expect(readBody(stopped, 5000)).rejects.toMatchObject({ code: 'payload_too_large' })
})

test('an aborted body is not a refusal', async () => {
  const broken = new ReadableStream<Uint8Array>({ start: (controller) => controller.error(new Error('aborted')) })
  await expect(readBody(broken, 5000)).rejects.toThrow('aborted')
})

/** Writes parts one by one to one connection. Returns the bodies received, and whether Node's events were needed for each. */
async function bodiesOf(parts: readonly string[], requests: number): Promise<[body: string, listened: boolean][]> {
  const bodies: [string, boolean][] = []
  const server = createServer((incoming, outgoing) => {
    const listening = vi.spyOn(incoming, 'on')
    const onRead = (body: Uint8Array) => {
      bodies.push([Buffer.from(body).toString(), listening.mock.calls.length > 0])
      outgoing.end()
    }
    onBody(incoming, BODY_LIMIT, onRead, (error) => outgoing.destroy(error))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    .setNoDelay(true)
    .resume()
  onTestFinished(() => {
    socket.destroy()
    server.close()
  })
  for (const part of parts) {
    socket.write(part)
    for (let n = 0; n < 20; n++) await turn() // so that it is a separate packet
  }
  await expect.poll(() => bodies.length).toBe(requests)
  return bodies
}
const head = (length: number) => `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`

test('a body that arrived with its head is read without events, for every request of a connection', async () => {
  const whole = `${head(5)}hello`
  expect(await bodiesOf([whole, whole, whole], 3)).toEqual(Array(3).fill(['hello', false]))
  expect(await bodiesOf([head(0), whole], 2)).toEqual([
    ['', false],
    ['hello', false],
  ])
})

test('a body in several packets is waited for, also between others', async () => {
  expect(await bodiesOf([`${head(5)}he`, `llo${head(2)}`, `ho${head(3)}bye`], 3)).toEqual([
    ['hello', true],
    ['ho', true],
    ['bye', false],
  ])
})

test('several requests in one packet are each read', async () => {
  const heard = await bodiesOf([`${head(1)}a${head(2)}bb${head(3)}ccc`], 3)
  expect(heard.map(([body]) => body)).toEqual(['a', 'bb', 'ccc'])
})
