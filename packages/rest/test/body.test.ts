import { expect, test } from 'vitest'
import { readBody } from '../src/body.ts'

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
