import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { eventually } from '@augury/testing/eventually'
import { LOGIN_MS } from '@augury/wire/limits'
import type { AccountEvent } from '@augury/wire/user-stream'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { RefusedError } from '../src/answer.ts'
import type { StreamStatus } from '../src/reconnecting-socket.ts'
import { UserStream, type UserStreamOptions, userStreamUrl } from '../src/user-stream.ts'
import { thrownToNobody } from './thrown.ts'
import { tradeEvent } from './trade-event.ts'

const apiKey = {
  address: `0x${'Ab'.repeat(20)}`,
  key: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  secret: btoa('s'.repeat(32)),
  passphrase: 'p',
}
const account = apiKey.address.toLowerCase()
const open: { close(): void }[] = []
afterEach(() => {
  for (const one of open.splice(0)) one.close()
})

const event = (seq: number) => tradeEvent(account, seq, apiKey.key)

/** A fake exchange with an event of the account at each of the positions 10, 20, 30 …, and a stream that follows it. */
async function exchange(options: Partial<UserStreamOptions> = {}) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  open.push(server)
  const sockets: WebSocket[] = []
  // biome-ignore lint/suspicious/noExplicitAny: requests of every shape
  const heard: any[] = []
  const log = { head: 20, epoch: 1, isAway: false, asked: [] as number[] }
  const say = (message: object) => sockets.at(-1)!.send(JSON.stringify(message))
  const subscribed = () =>
    say({ event_type: 'subscribed', channels: { [account]: log.head }, markets: [], seq: log.head, epoch: log.epoch })
  server.on('connection', (socket) => {
    sockets.push(socket)
    socket.on('message', (data) => {
      const text = data.toString()
      if (text === 'PING') return
      heard.push(JSON.parse(text))
      subscribed()
    })
  })
  const told: number[] = []
  const statuses: StreamStatus[] = []
  const errors: unknown[] = []
  const stream = new UserStream({
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    apiKey,
    reconnectMs: 1,
    client: {
      getTime: async () => 1_800_000_000,
      async listEvents(input) {
        const after = Number(input?.query?.after ?? 0)
        log.asked.push(after)
        if (log.isAway) throw new Error('away')
        const next = after - (after % 10) + 10
        const isMore = next < log.head
        return next > log.head
          ? { data: [], seq: log.head, epoch: 1, after_epoch: 1, next_cursor: 'LTE=' }
          : { data: [event(next)], seq: isMore ? next : log.head, epoch: 1, after_epoch: 1, next_cursor: '' }
      },
    },
    onEvent: ({ seq }) => told.push(seq),
    onStatus: (status) => statuses.push(status),
    onError: (error) => errors.push(error),
    ...options,
  })
  open.push(stream)
  /** Adds the next event and sends it on the socket unless it should be missed. */
  const happen = (isHeard = true, prev = log.head) => {
    log.head += 10
    if (isHeard) say({ ...event(log.head), prev_seq: prev })
  }
  await eventually(() => expect(stream.status).toBe('live'))
  return { stream, sockets, heard, log, say, happen, told, statuses, errors }
}

test('logs in with a signature over its path, and delivers every event from then on', async () => {
  const { heard, happen, told, stream } = await exchange({ markets: ['0x2'], cancelOnDisconnect: true })
  expect(heard).toEqual([
    {
      type: 'user',
      auth: {
        key: apiKey.key,
        passphrase: 'p',
        timestamp: expect.stringMatching(/^\d{10}$/),
        signature: expect.stringMatching(/^[\w-]{43}=$/),
      },
      markets: ['0x2'],
      cancel_on_disconnect: true,
    },
  ])
  happen()
  happen()
  await eventually(() => expect(told).toEqual([30, 40]))
  expect(stream.position).toBe(40)
})

test('the position advances with the last event of a command: after a crash the whole command is delivered again', async () => {
  const told: [string, number | null][] = []
  let stream: UserStream | undefined
  const onEvent = ({ event_id }: AccountEvent) => told.push([event_id, stream?.position ?? null])
  const of = (seq: number, n: number) => ({ ...event(seq), event_id: `${seq}-${n}` })
  const opened = await exchange({
    onEvent,
    client: {
      getTime: async () => 1_800_000_000,
      listEvents: async () => ({
        data: [of(43, 1), of(44, 1), of(44, 2), of(49, 1)],
        seq: 60,
        epoch: 1,
        after_epoch: 1,
        next_cursor: 'LTE=',
      }),
    },
  })
  stream = opened.stream
  const frame = (seq: number, prev_seq: number, count: number) => Array.from({ length: count }, (_, n) => ({ ...of(seq, n + 1), prev_seq }))
  opened.say(frame(30, 20, 3))
  opened.say([...frame(40, 30, 1), { event_type: 'news of tomorrow' }])
  opened.say(frame(60, 50, 2))
  await eventually(() => expect(told.at(-1)).toEqual(['60-2', 60]))
  expect(told.slice(0, -1)).toEqual([
    ...[['30-1', 20] as const, ['30-2', 20] as const, ['30-3', 30] as const, ['40-1', 30] as const],
    ...[['43-1', 43] as const, ['44-1', 43] as const, ['44-2', 44] as const, ['49-1', 49] as const, ['60-1', 50] as const],
  ])
})

test('what its listener threw at comes again from history, before anything newer', async () => {
  const thrown = thrownToNobody()
  const told: number[] = []
  const faults: unknown[] = [new Error('no disk'), new Error('still no disk')]
  const { log, say, stream } = await exchange({
    onEvent: ({ seq }) => {
      if (seq === 30 && faults.length > 0) throw faults.shift()
      told.push(seq)
    },
  })
  const expected = [...faults]
  log.head = 40
  say([
    { ...event(30), prev_seq: 20 },
    { ...event(40), prev_seq: 20 },
  ])
  await eventually(() => expect(told).toEqual([30, 40]))
  expect([thrown, faults, stream.position]).toEqual([expected.slice(0, 1), [], 40])
})

test('a frame after a gap is delivered after the missed events, which are read from history', async () => {
  const { happen, told, log } = await exchange()
  happen(false)
  happen(false)
  happen()
  happen()
  await eventually(() => expect(told).toEqual([30, 40, 50, 60]))
  expect(log.asked).toEqual([20, 30])
})

test('events of history that are newer than the frames are delivered once, with their frames', async () => {
  const told: number[] = []
  const { say } = await exchange({
    client: {
      getTime: async () => 1_800_000_000,
      listEvents: async (input) => {
        const after = Number(input?.query?.after)
        return { data: [30, 40, 50].filter((seq) => seq > after).map(event), seq: 50, epoch: 1, after_epoch: 1, next_cursor: 'LTE=' }
      },
    },
    onEvent: ({ seq }) => told.push(seq),
  })
  say({ event_type: 'heartbeat', timestamp: '1', seq: 50, epoch: 1, channels: { [account]: 30 } })
  await eventually(() => expect(told).toEqual([30]))
  say({ ...event(40), prev_seq: 30 })
  say({ ...event(50), prev_seq: 40 })
  await eventually(() => expect(told).toEqual([30, 40, 50]))
})

test('a heartbeat with a later position makes the stream read history', async () => {
  const { happen, told, say, log } = await exchange()
  happen(false)
  say({ event_type: 'heartbeat', timestamp: '1', seq: 33, epoch: 1, channels: { [account]: log.head } })
  await eventually(() => expect(told).toEqual([30]))
  happen()
  await eventually(() => expect(told).toEqual([30, 40]))
})

test('after a lost socket no event is missing and none is delivered twice', async () => {
  const { happen, told, sockets, statuses } = await exchange({ after: 0 })
  await eventually(() => expect(told).toEqual([10, 20]))
  happen()
  await eventually(() => expect(told).toEqual([10, 20, 30]))
  sockets.at(-1)!.terminate()
  happen(false)
  await eventually(() => expect(told).toEqual([10, 20, 30, 40]))
  happen()
  await eventually(() => expect(told).toEqual([10, 20, 30, 40, 50]))
  expect(statuses.filter((status) => status !== 'connecting')).toEqual(['live', 'reconnecting', 'live'])
})

test('while history is unavailable no newer event is delivered', async () => {
  const { happen, told, log, errors } = await exchange()
  log.isAway = true
  happen(false)
  happen()
  await eventually(() => expect(errors.length).toBeGreaterThan(1))
  expect(told).toEqual([])
  log.isAway = false
  await eventually(() => expect(told).toEqual([30, 40]))
})

test('nothing is delivered after close, even while history is being read', async () => {
  const history = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  const told: number[] = []
  const { stream } = await exchange({
    after: 0,
    client: {
      getTime: async () => 1_800_000_000,
      async listEvents() {
        asked.resolve()
        await history.promise
        return { data: [event(10), event(20)], seq: 20, epoch: 1, after_epoch: 1, next_cursor: 'LTE=' }
      },
    },
    onEvent: ({ seq }) => told.push(seq),
  })
  await asked.promise
  stream.close()
  history.resolve()
  await new Promise((resolve) => setImmediate(resolve))
  expect([told, stream.position]).toEqual([[], 0])
})

test('nothing is delivered after a listener closes the stream at an event of history', async () => {
  const told: number[] = []
  const ends: { stream?: UserStream } = {}
  const { stream, say } = await exchange({
    client: {
      getTime: async () => 1_800_000_000,
      listEvents: async () => ({ data: [event(30), event(40)], seq: 40, epoch: 1, after_epoch: 1, next_cursor: 'LTE=' }),
    },
    onEvent: ({ seq }) => {
      told.push(seq)
      ends.stream?.close()
    },
  })
  ends.stream = stream
  say({ event_type: 'heartbeat', timestamp: '1', seq: 40, epoch: 1, channels: { [account]: 40 } })
  await eventually(() => expect(stream.status).toBe('closed'))
  await new Promise((resolve) => setImmediate(resolve))
  expect([told, stream.position]).toEqual([[30], 30])
})

test('a wrong clock is corrected from the server’s time', async () => {
  const { say, heard, stream } = await exchange()
  say({ event_type: 'error', error: 'Unauthenticated', code: 'stale_timestamp' })
  await eventually(() => expect(heard.length).toBe(2))
  expect(Math.abs(Number(heard[1].auth.timestamp) - 1_800_000_000)).toBeLessThan(60)
  await eventually(() => expect(stream.status).toBe('live'))
})

test('a server’s time that does not come is not waited for until the server hangs up on who says nothing', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort())
  onTestFinished(() => timeout.mockRestore())
  const getTime: UserStreamOptions['client']['getTime'] = async (_, how) => {
    how?.signal?.throwIfAborted()
    return new Promise(() => {})
  }
  const { heard, say } = await exchange({ client: { getTime, listEvents: () => Promise.reject(new Error('away')) } })
  say({ event_type: 'error', error: 'Unauthenticated', code: 'stale_timestamp' })
  await eventually(() => expect(heard.length).toBe(2))
  expect(timeout.mock.lastCall![0]).toBeLessThan(LOGIN_MS)
})

test('a refused login ends the stream as refused', async () => {
  const { sockets, stream } = await exchange()
  sockets.at(-1)!.close(4001)
  await eventually(() => expect(stream.status).toBe('refused'))
})

test('rewritten history is reported, and followed from its new end', async () => {
  const { log, sockets, errors, happen, told } = await exchange()
  Object.assign(log, { head: 10, epoch: 2 })
  sockets.at(-1)!.terminate()
  await eventually(() => expect(String(errors[0])).toContain('rewritten'))
  happen()
  await eventually(() => expect(told).toEqual([20]))
})

test('continuing at a position of a rewritten timeline is reported, and newer events are delivered', async () => {
  const { errors, happen, log, stream, told } = await exchange({ after: 15, epoch: 7 })
  expect(errors.map(String)).toEqual([expect.stringContaining('rewritten')])
  happen()
  await eventually(() => expect(told).toEqual([30]))
  expect([log.asked, stream.position, stream.epoch]).toEqual([[], 30, 1])
})

test('the address of the stream', () => {
  expect(userStreamUrl('https://clob.example.org/')).toBe('wss://clob.example.org/ws/user')
})

test('a refused login is reported with the same error as a refused request', async () => {
  const { sockets, say, stream, errors } = await exchange()
  say({ event_type: 'error', error: 'This API key may not do that', code: 'insufficient_scope' })
  sockets.at(-1)!.close(4001)
  await eventually(() => expect(stream.status).toBe('refused'))
  expect(errors).toEqual([expect.any(RefusedError)])
  expect(errors[0]).toMatchObject({ status: 403, code: 'insufficient_scope', message: 'This API key may not do that' })
})
