import { eventually } from '@augury/testing/eventually'
import { beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { Caller } from './caller.ts'
import { funded, limit, registerMarket } from './market.ts'
import { runningServer, wallets } from './running-server.ts'

// An order that ended has one status on each surface, and keeps what was asked for, wherever it is read.

const running = await runningServer()
const market = await registerMarket(running, 'ended')
const alice = await funded(running.url, wallets.alice, '1000')
const bob = await funded(running.url, wallets.bob, '1000')
const compat = await Caller.with(`${running.url}/compat`, alice.key)

// biome-ignore lint/suspicious/noExplicitAny: tests look into messages of every shape
type Message = any

/** A socket that keeps the orders it tells of. */
async function orders(path: string, first: object): Promise<Message[]> {
  const told: Message[] = []
  const socket = new WebSocket(running.url.replace('http', 'ws') + path)
  socket.on('message', (data) => {
    for (const message of [JSON.parse(String(data))].flat()) {
      const order = message.topic === 'clob_user' ? message.payload : message
      if (order?.order_owner) told.push(order)
    }
  })
  await new Promise((resolve) => socket.once('open', resolve))
  socket.send(JSON.stringify(first))
  return told
}

const { key, secret, passphrase } = alice.key
let streams: { native: Message[]; compat: Message[]; live: Message[] }

beforeAll(async () => {
  const clob_auth = { key, secret, passphrase }
  streams = {
    native: await orders('/ws/user', { type: 'user', auth: await alice.streamAuth() }),
    compat: await orders('/compat/ws/user', { type: 'user', auth: { apiKey: key, secret, passphrase } }),
    live: await orders('/compat/live', { action: 'subscribe', subscriptions: [{ topic: 'clob_user', type: 'order', clob_auth }] }),
  }
  await bob.call('POST', '/order', limit(market.no, 'BUY', '0.4', '20')) // offers Yes at 0.6
  await alice.call('POST', '/order', limit(market.no, 'BUY', '0.3', '20')) // and this one at 0.7
})

/** What every surface says of an order, under the name of the surface. */
async function surfaces(name: string, id: string) {
  const [input, lookup] = [encodeURIComponent(JSON.stringify({ params: { id } })), [id]]
  const last = (told: Message[]) => told.findLast((order) => order.id === id)
  await eventually(() => {
    for (const told of Object.values(streams)) expect(last(told)?.type).toBe('CANCELLATION')
  })
  const ofEvents = async (caller: Caller) => last((await caller.call('GET', '/events')).body.data)
  const reads = async (caller: Caller) => ({
    read: await caller.order(id),
    'looked up': (await caller.call('POST', '/data/orders', lookup)).body[0].order,
    events: await ofEvents(caller),
  })
  const { exchange } = running.server.edge.context
  const now = { native: await reads(alice), compat: await reads(compat) }
  Object.assign(exchange, { order: () => null }) // as after ten minutes: history alone knows it
  const later = { native: await reads(alice), compat: await reads(compat) }
  Reflect.deleteProperty(exchange, 'order')
  const named = await alice.order(name)
  const trpc = (await alice.call('GET', `/trpc/getOrder?input=${input}`)).body.result.data
  return {
    native: {
      ...now.native,
      'by its name': named,
      trpc,
      stream: last(streams.native),
      history: later.native.read,
      'looked up later': later.native['looked up'],
    },
    compat: { ...now.compat, stream: last(streams.compat), live: last(streams.live), history: later.compat.read },
  }
}

const told = ({ state, status, original_size, size_matched, remaining_size, amount, cancel_reason }: Message) =>
  [state, status, `${size_matched} + ${remaining_size} = ${original_size}`, amount, cancel_reason].join(', ')

const fok = { orderType: 'FOK' }
const fak = { orderType: 'FAK' }
const byMoney = (amount: string, more: object) => ({ size: undefined, amount, ...more })

test.each<[what: string, price: string, more: object, native: string]>([
  ['a killed FOK by size', '0.2', fok, 'rejected, INVALID, 0 + 10 = 10, , fok_not_filled'],
  ['a killed FOK by money', '0.5', byMoney('50', fok), 'rejected, INVALID, 0 + 100 = 100, 50, fok_not_filled'],
  ['a FAK that met nothing', '0.2', fak, 'rejected, INVALID, 0 + 10 = 10, , fak_no_match'],
  ['a FAK by money that met nothing', '0.2', byMoney('5', fak), 'rejected, INVALID, 0 + 25 = 25, 5, fak_no_match'],
  ['a post-only order that crosses', '0.65', { postOnly: true }, 'rejected, INVALID, 0 + 10 = 10, , post_only_would_cross'],
  [
    'a FOK that met an order of its own',
    '0.75',
    { ...fok, size: '30', stp: 'expire_taker' },
    'rejected, INVALID, 0 + 30 = 30, , self_trade',
  ],
  ['a FAK of which a part was filled', '0.6', { ...fak, size: '25' }, 'cancelled, CANCELED, 20 + 5 = 25, , fak_remainder'],
  ['a FAK by money of which a part was filled', '0.6', byMoney('60', fak), 'cancelled, CANCELED, 20 + 80 = 100, 60, fak_remainder'],
  ['an order that met one of its own', '0.75', { stp: 'expire_taker' }, 'cancelled, CANCELED, 0 + 10 = 10, , stp'],
])('%s has one status on each surface, and keeps what was asked for', async (what, price, more, native) => {
  if (what.includes('by money of')) await bob.call('POST', '/order', limit(market.no, 'BUY', '0.4', '20'))
  const name = what.replaceAll(' ', '-')
  const { body } = await alice.call('POST', '/order', limit(market.yes, 'BUY', price, '10', { ...more, clientOrderId: name }))
  const id = body.orderId
  if (native.startsWith('rejected')) expect([body.state, body.code]).toEqual(['rejected', native.split(', ').at(-1)])
  const all = await surfaces(name, id)
  for (const [surface, order] of Object.entries(all.native)) expect([surface, told(order)]).toEqual([surface, native])
  const theirs = native.replace('INVALID', 'CANCELED')
  for (const [surface, order] of Object.entries(all.compat)) expect([surface, told(order)]).toEqual([surface, theirs])
})
