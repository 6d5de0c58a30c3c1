import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { eventually } from '@augury/testing/eventually'
import { getAddress } from 'viem'
import { afterEach, expect } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import type { StreamStatus } from '../src/reconnecting-socket.ts'
import { UserStream, type UserStreamOptions } from '../src/user-stream.ts'
import { tradeEvent } from './trade-event.ts'

export const apiKey = {
  address: `0x${'Ab'.repeat(20)}`,
  key: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  secret: btoa('s'.repeat(32)),
  passphrase: 'p',
}
export const account = getAddress(apiKey.address)
const open: { close(): void }[] = []
afterEach(() => {
  for (const one of open.splice(0)) one.close()
})

export const event = (seq: number) => tradeEvent(account, seq, apiKey.key)

/** A fake exchange with an event of the account at each of the positions 10, 20, 30 …, and a stream that follows it. */
export async function followedExchange(options: Partial<UserStreamOptions> = {}) {
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
