import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { eventually } from '@augury/testing/eventually'
import { afterEach, expect, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { AccountStreams } from '../src/account-streams.ts'
import { thrownToNobody } from './thrown.ts'
import { tradeEvent } from './trade-event.ts'

const apiKey = {
  address: `0x${'0e'.repeat(20)}`,
  key: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  secret: btoa('s'.repeat(32)),
  passphrase: 'p',
}
const [ann, bob] = [`0x${'a1'.repeat(20)}`, `0x${'b0'.repeat(20)}`]
const open: { close(): void }[] = []
afterEach(() => {
  for (const one of open.splice(0)) one.close()
})

/** A fake exchange with a history per account, and a stream that follows it. */
async function exchange() {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  open.push(server)
  const log: { account: string; seq: number }[] = []
  const sockets: { socket: WebSocket; accounts: Set<string>; last: Map<string, number> }[] = []
  let head = 100
  const event = (account: string, seq: number) => tradeEvent(account, seq, apiKey.key)
  server.on('connection', (socket) => {
    const reader = { socket, accounts: new Set<string>(), last: new Map<string, number>() }
    sockets.push(reader)
    socket.on('message', (data) => {
      if (data.toString() === 'PING') return
      const { operation, accounts } = JSON.parse(data.toString())
      for (const account of accounts) {
        if (operation === 'unsubscribe') reader.accounts.delete(account)
        else if (!reader.accounts.has(account)) reader.last.set(account, head)
        if (operation !== 'unsubscribe') reader.accounts.add(account)
      }
      const channels = Object.fromEntries([...reader.accounts].map((account) => [account, reader.last.get(account)!]))
      socket.send(JSON.stringify({ event_type: 'subscribed', channels, markets: [], seq: head, epoch: 1 }))
    })
  })
  /** Adds an event to an account; with `lost` it is not sent to the stream. */
  const happen = (account: string, lost = false) => {
    head += 1
    log.push({ account, seq: head })
    for (const { socket, accounts, last } of sockets) {
      if (!accounts.has(account) || socket.readyState !== 1) continue
      const prev_seq = last.get(account)!
      last.set(account, head)
      if (!lost) socket.send(JSON.stringify({ ...event(account, head), prev_seq }))
    }
    return head
  }
  const streams = new AccountStreams({
    ...{ url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`, apiKey, reconnectMs: 1 },
    client: {
      getTime: async () => 1_800_000_000,
      async listEvents(input) {
        const { after = 0, account } = input?.query ?? {}
        const data = log.filter((one) => one.account === account && one.seq > Number(after)).map(({ seq }) => event(account!, seq))
        return { data, seq: head, epoch: 1, after_epoch: 1, next_cursor: 'LTE=' }
      },
    },
  })
  open.push(streams)
  return { streams, sockets, happen }
}

const followed = (streams: AccountStreams, account: string) => {
  const events: number[] = []
  return { events, stop: streams.follow(account, ({ seq }) => events.push(seq)) }
}

test('each account gets its own events, over one socket', async () => {
  const { streams, sockets, happen } = await exchange()
  const anns = followed(streams, ann)
  await eventually(() => expect(streams.status).toBe('live'))
  const bobs = followed(streams, bob)
  await eventually(() => expect(sockets[0]?.accounts.size).toBe(2))
  happen(bob)
  happen(ann)
  happen(ann)
  await eventually(() => expect([anns.events, bobs.events]).toEqual([[102, 103], [101]]))
  expect(sockets.length).toBe(1)
})

test('missed events of an account are read from its history', async () => {
  const { streams, sockets, happen } = await exchange()
  const [anns, bobs] = [followed(streams, ann), followed(streams, bob)]
  await eventually(() => expect(streams.status).toBe('live'))
  happen(ann, true)
  happen(bob)
  happen(ann)
  await eventually(() => expect([anns.events, bobs.events]).toEqual([[101, 103], [102]]))
  sockets[0]!.socket.terminate()
  happen(bob)
  happen(ann)
  await eventually(() =>
    expect([anns.events, bobs.events]).toEqual([
      [101, 103, 105],
      [102, 104],
    ]),
  )
})

test('two listeners of an account get the same events; it is unsubscribed after the last has left', async () => {
  const { streams, sockets, happen } = await exchange()
  const [one, other] = [followed(streams, ann), followed(streams, ann)]
  await eventually(() => expect(streams.status).toBe('live'))
  happen(ann)
  await eventually(() => expect([one.events, other.events]).toEqual([[101], [101]]))
  one.stop()
  happen(ann)
  await eventually(() => expect([one.events, other.events]).toEqual([[101], [101, 102]]))
  other.stop()
  other.stop()
  await eventually(() => expect(sockets[0]!.accounts.size).toBe(0))
  expect(streams.isIdle).toBe(true)
})

test('a listener that returns gets later events', async () => {
  const { streams, happen, sockets } = await exchange()
  const first = followed(streams, ann)
  await eventually(() => expect(streams.status).toBe('live'))
  first.stop()
  await eventually(() => expect(sockets[0]!.accounts.size).toBe(0))
  happen(ann)
  const again = followed(streams, ann)
  await eventually(() => expect(sockets[0]!.accounts.size).toBe(1))
  const seq = happen(ann)
  await eventually(() => expect(again.events).toEqual([seq]))
})

test('a socket can follow a thousand accounts', async () => {
  const { streams } = await exchange()
  for (let number = 0; number < 1000; number++) streams.follow(`0x${number.toString(16).padStart(40, '0')}`, () => {})
  expect(streams.isFull).toBe(true)
  expect(() => streams.follow(ann, () => {})).toThrow('at most 1000 accounts')
})

test('a listener that throws keeps nothing from the others', async () => {
  const thrown = thrownToNobody()
  const { streams, happen } = await exchange()
  const fault = new Error('a bug of the program')
  streams.follow(ann, () => {
    throw fault
  })
  const told: number[] = []
  streams.follow(ann, ({ seq }) => told.push(seq))
  await eventually(() => expect(streams.status).toBe('live'))
  const seqs = [happen(ann), happen(ann, true), happen(ann)]
  await eventually(() => expect(told).toEqual(seqs))
  expect(thrown).toEqual([fault, fault, fault])
})
