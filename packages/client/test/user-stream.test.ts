import { eventually } from '@augury/testing/eventually'
import type { AccountEvent } from '@augury/wire/user-stream'
import { expect, test } from 'vitest'
import { type UserStream, userStreamUrl } from '../src/user-stream.ts'
import { account, event, followedExchange } from './followed-exchange.ts'
import { thrownToNobody } from './thrown.ts'

test('the position advances with the last event of a command: after a crash the whole command is delivered again', async () => {
  const told: [string, number | null][] = []
  let stream: UserStream | undefined
  const onEvent = ({ event_id }: AccountEvent) => told.push([event_id, stream?.position ?? null])
  const of = (seq: number, n: number) => ({ ...event(seq), event_id: `${seq}-${n}` })
  const opened = await followedExchange({
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
  const { log, say, stream } = await followedExchange({
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
  const { happen, told, log } = await followedExchange()
  happen(false)
  happen(false)
  happen()
  happen()
  await eventually(() => expect(told).toEqual([30, 40, 50, 60]))
  expect(log.asked).toEqual([20, 30])
})

test('events of history that are newer than the frames are delivered once, with their frames', async () => {
  const told: number[] = []
  const { say } = await followedExchange({
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
  const { happen, told, say, log } = await followedExchange()
  happen(false)
  say({ event_type: 'heartbeat', timestamp: '1', seq: 33, epoch: 1, channels: { [account]: log.head } })
  await eventually(() => expect(told).toEqual([30]))
  happen()
  await eventually(() => expect(told).toEqual([30, 40]))
})

test('after a lost socket no event is missing and none is delivered twice', async () => {
  const { happen, told, sockets, statuses } = await followedExchange({ after: 0 })
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
  const { happen, told, log, errors } = await followedExchange()
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
  const { stream } = await followedExchange({
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
  const { stream, say } = await followedExchange({
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

test('rewritten history is reported, and followed from its new end', async () => {
  const { log, sockets, errors, happen, told } = await followedExchange()
  Object.assign(log, { head: 10, epoch: 2 })
  sockets.at(-1)!.terminate()
  await eventually(() => expect(String(errors[0])).toContain('rewritten'))
  happen()
  await eventually(() => expect(told).toEqual([20]))
})

test('continuing at a position of a rewritten timeline is reported, and newer events are delivered', async () => {
  const { errors, happen, log, stream, told } = await followedExchange({ after: 15, epoch: 7 })
  expect(errors.map(String)).toEqual([expect.stringContaining('rewritten')])
  happen()
  await eventually(() => expect(told).toEqual([30]))
  expect([log.asked, stream.position, stream.epoch]).toEqual([[], 30, 1])
})

test('the address of the stream', () => {
  expect(userStreamUrl('https://clob.example.org/')).toBe('wss://clob.example.org/ws/user')
})
