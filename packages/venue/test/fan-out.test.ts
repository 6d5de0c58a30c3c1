import type { Hex } from '@augury/engine/command'
import { CLOSE } from '@augury/wire/limits'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FanOut, type FrameReader } from '../src/serve/streams/fan-out.ts'
import { frameText, Ring } from '../src/serve/streams/frames.ts'
import { View } from '../src/serve/streams/view.ts'
import { id } from './commands.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const CONDITION = id('rain')
/** How long a write to a socket takes here. */
const WRITE_MS = 2

/** A reader that notes which frames came together. */
function reader() {
  const writes: number[][] = []
  const sink = {
    slow: false,
    writeAll({ frames, joined }: { frames: Buffer[]; joined: Buffer }) {
      if (!joined.equals(Buffer.concat(frames))) throw new Error('other bytes than those of the frames')
      writes.push(frames.map((frame) => JSON.parse(frameText(frame)).seq))
      vi.advanceTimersByTime(WRITE_MS)
    },
    cork() {},
    flush() {},
  }
  return { writes, sink, reader: { socket: sink as never, missed: new Set<Hex>() } satisfies FrameReader }
}

function stream(...readers: FrameReader[]) {
  const bugs: unknown[] = []
  const fanOut = new FanOut<FrameReader>((error) => bugs.push(error))
  const view = new View<FrameReader>('all', new Ring(1_000_000), 0)
  for (const one of readers) view.readers.add(one)
  return {
    fanOut,
    bugs,
    view,
    row(seq: number, text = '') {
      fanOut.add(view, CONDITION, view.append([{ event_type: 'told', text }], seq, 1))
      fanOut.request()
    },
  }
}

test('a row is sent at once; what comes while sending rests is sent together, in order', () => {
  const { reader: one, writes } = reader()
  const { row } = stream(one)
  for (const seq of [1, 2, 3]) row(seq)
  expect(writes).toEqual([[1]])
  vi.advanceTimersByTime(3 * WRITE_MS)
  expect(writes).toEqual([[1], [2, 3]])
  vi.advanceTimersByTime(1000)
  row(4)
  expect(writes).toEqual([[1], [2, 3], [4]])
})

test('who joins has heard nothing of what it will be told to begin with', () => {
  const { reader: one, writes } = reader()
  const { reader: late, writes: heard } = reader()
  const { row, view, fanOut } = stream(one)
  row(1)
  row(2)
  fanOut.settle()
  view.readers.add(late)
  row(3)
  vi.advanceTimersByTime(1000)
  expect([writes, heard]).toEqual([[[1], [2], [3]], [[3]]])
})

test('who is slow, or has missed a frame and was not given the books since, gets no delta', () => {
  const { reader: one, sink, writes } = reader()
  const { row } = stream(one)
  sink.slow = true
  row(1)
  sink.slow = false
  row(2)
  expect([writes, [...one.missed]]).toEqual([[], [CONDITION]])
})

test('what is much is not kept back', () => {
  const { reader: one, writes } = reader()
  const { row } = stream(one)
  row(1)
  row(2, 'x'.repeat(40_000))
  row(3, 'x'.repeat(40_000))
  expect(writes).toEqual([[1], [2, 3]])
})

test('a reader at whose socket something fails is ended; the others hear everything', () => {
  const { reader: one, writes } = reader()
  const closed: number[] = []
  const broken = {
    slow: false,
    writeAll() {
      throw new Error('a bug')
    },
    close: (code: number) => closed.push(code),
  }
  const { row, bugs } = stream({ socket: broken as never, missed: new Set() }, one)
  row(1)
  expect([writes, closed, bugs.map(String)]).toEqual([[[1]], [CLOSE.failed], ['Error: a bug']])
})
