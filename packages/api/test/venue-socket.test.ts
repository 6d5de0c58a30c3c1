import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Edge } from '@augury/venue/serve/edge'
import { CLOSE } from '@augury/wire/limits'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { VenueSockets } from '../src/venue-socket.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('when the process stops, a client that does not answer the close is cut off soon', () => {
  const sockets = new VenueSockets({} as Edge, () => {})
  const ws = Object.assign(new EventEmitter(), {
    readyState: 1,
    OPEN: 1,
    send: vi.fn(),
    resume: vi.fn(),
    close: vi.fn(),
    terminate: vi.fn(),
  })
  sockets.accept(ws as never, {} as Duplex, { url: '/trpc', headers: {} } as IncomingMessage)
  sockets.close()
  expect(ws.resume).toHaveBeenCalled() // or an answer would never be read
  expect(ws.close).toHaveBeenCalledWith(CLOSE.draining, 'draining')
  expect(ws.terminate).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1000)
  expect(ws.terminate).toHaveBeenCalled()
})
