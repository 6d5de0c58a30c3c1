import { fc } from '@augury/testing/properties'
import { expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { Ring, textFrame } from '../src/streams/frames.ts'

/** What a WebSocket client makes of bytes that are written below the server's protocol. */
async function received(bytes: Buffer): Promise<string> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })
  server.on('connection', (_, request) => request.socket.write(bytes))
  await new Promise((resolve) => server.once('listening', resolve))
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as { port: number }).port}`)
  try {
    return await new Promise((resolve, reject) => {
      client.on('message', (data) => resolve(data.toString()))
      client.on('error', reject)
    })
  } finally {
    client.terminate()
    server.close()
  }
}

test.each([0, 1, 125, 126, 65_535, 65_536, 200_000])('a frame of %i bytes is read as it was written', async (length) => {
  const text = 'é'.repeat(length >> 1) + 'x'.repeat(length & 1)
  expect(await received(textFrame(text))).toBe(text)
})

const frame = (size: number) => Buffer.alloc(size)

test('the ring replays a channel from where a reader was, and says when it cannot', () => {
  const ring = new Ring(100)
  const push = (channel: string, prevSeq: number, seq: number, size = 10) => ring.push({ channel, seq, prevSeq, frame: frame(size) })
  push('a', 1, 5)
  push('b', 2, 6)
  push('a', 5, 9)
  expect(ring.after('a', 1, 9)?.length).toBe(2)
  expect(ring.after('a', 5, 9)?.length).toBe(1)
  expect(ring.after('a', 3, 9)).toBeNull() // never a position of this channel
  expect(ring.after('a', 1, 12)).toBeNull() // something came after that the ring does not hold
  push('b', 6, 10, 85)
  expect(ring.after('a', 1, 9)).toBeNull() // pushed out by newer frames of others
  expect(ring.after('b', 6, 10)?.length).toBe(1)
})

test('what the ring replays is exactly what was missed', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ channel: fc.constantFrom('a', 'b'), size: fc.integer({ min: 1, max: 30 }) }), { maxLength: 60 }),
      (steps) => {
        const ring = new Ring(200)
        const sent: Record<string, { seq: number; frame: Buffer }[]> = { a: [], b: [] }
        steps.forEach(({ channel, size }, index) => {
          const entry = { seq: index + 1, frame: frame(size) }
          ring.push({ channel, prevSeq: sent[channel]!.at(-1)?.seq ?? 0, ...entry })
          sent[channel]!.push(entry)
        })
        for (const [channel, frames] of Object.entries(sent)) {
          const last = frames.at(-1)?.seq
          if (last === undefined) continue
          for (const { seq } of frames) {
            const replayed = ring.after(channel, seq, last)
            if (replayed) expect(replayed).toEqual(frames.filter((entry) => entry.seq > seq).map((entry) => entry.frame))
          }
        }
      },
    ),
  )
})
