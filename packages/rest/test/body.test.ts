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

test('what the server in front of us finds too large is refused in the same words', async () => {
  const stopped = new ReadableStream<Uint8Array>({
    start: (controller) => controller.error(Object.assign(new Error('Payload Too Large'), { status: 413 })),
  })
  await expect(readBody(stopped, 5000)).rejects.toMatchObject({ code: 'payload_too_large' })
})

test('a body that breaks off is no refusal', async () => {
  const broken = new ReadableStream<Uint8Array>({ start: (controller) => controller.error(new Error('aborted')) })
  await expect(readBody(broken, 5000)).rejects.toThrow('aborted')
})

/** Writes parts one by one to one connection; which bodies were heard, and whether more of each had been listened for. */
async function heardOf(parts: readonly string[], requests: number): Promise<[body: string, listened: boolean][]> {
  const heard: [string, boolean][] = []
  const server = createServer((incoming, outgoing) => {
    const listening = vi.spyOn(incoming, 'on')
    const hear = (body: Uint8Array) => {
      heard.push([Buffer.from(body).toString(), listening.mock.calls.length > 0])
      outgoing.end()
    }
    onBody(incoming, BODY_LIMIT, hear, (error) => outgoing.destroy(error))
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
    for (let n = 0; n < 20; n++) await turn() // so that it is a packet of its own
  }
  await expect.poll(() => heard.length).toBe(requests)
  return heard
}
const head = (length: number) => `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`

test('a body that came with its head is heard without listening for it, as often as a connection brings one', async () => {
  const whole = `${head(5)}hello`
  expect(await heardOf([whole, whole, whole], 3)).toEqual(Array(3).fill(['hello', false]))
  expect(await heardOf([head(0), whole], 2)).toEqual([
    ['', false],
    ['hello', false],
  ])
})

test('a body in parts is waited for, also between others', async () => {
  expect(await heardOf([`${head(5)}he`, `llo${head(2)}`, `ho${head(3)}bye`], 3)).toEqual([
    ['hello', true],
    ['ho', true],
    ['bye', false],
  ])
})

test('requests that come in one packet are each heard', async () => {
  const heard = await heardOf([`${head(1)}a${head(2)}bb${head(3)}ccc`], 3)
  expect(heard.map(([body]) => body)).toEqual(['a', 'bb', 'ccc'])
})
