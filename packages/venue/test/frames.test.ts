import { fc } from '@augury/testing/properties'
import { expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { Ring, textFrame } from '../src/serve/streams/frames.ts'

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
  expect(ring.after('a', 1, 9, 1000)?.length).toBe(2)
  expect(ring.after('a', 5, 9, 1000)?.length).toBe(1)
  expect(ring.after('a', 3, 9, 1000)).toBeNull() // never a position of this channel
  expect(ring.after('a', 1, 12, 1000)).toBeNull() // something came after that the ring does not hold
  push('b', 6, 10, 85)
  expect(ring.after('a', 1, 9, 1000)).toBeNull() // pushed out by newer frames of others
  expect(ring.after('b', 6, 10, 1000)?.length).toBe(1)
})

test('no more is replayed than there is room for', () => {
  const ring = new Ring(1000)
  for (const seq of [1, 2, 3]) ring.push({ channel: 'a', seq, prevSeq: seq - 1, frame: frame(10) })
  expect(ring.after('a', 1, 3, 20)?.length).toBe(2)
  expect(ring.after('a', 0, 3, 20)).toBeNull()
  expect(ring.after('a', 3, 3, 0)).toEqual([])
})

test('a ring that was full many times over still knows the newest frames, and only those', () => {
  const ring = new Ring(100)
  for (let seq = 1; seq <= 20_000; seq++)
    ring.push({ channel: seq % 2 ? 'odd' : 'even', seq, prevSeq: Math.max(0, seq - 2), frame: frame(10) })
  expect(ring.after('even', 19_990, 20_000, 1000)?.length).toBe(5)
  expect(ring.after('odd', 19_989, 19_999, 1000)?.length).toBe(5)
  expect(ring.after('odd', 19_987, 19_999, 1000)).toBeNull()
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
            const replayed = ring.after(channel, seq, last, 1000)
            if (replayed) expect(replayed).toEqual(frames.filter((entry) => entry.seq > seq).map((entry) => entry.frame))
          }
        }
      },
    ),
  )
})
