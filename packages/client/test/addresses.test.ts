import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { NoAnswerError } from '../src/answer.ts'
import { createApiKey } from '../src/api-key.ts'
import { ReconnectingSocket } from '../src/reconnecting-socket.ts'
import { venueClient } from '../src/rest.ts'
import { type Reply, service } from './service.ts'

const apiKey = {
  address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  key: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  secret: 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
  passphrase: 'p',
}
const retry = { attempts: 3, pauseMs: 1 }
const cancelled: Reply = { json: { canceled: [], not_canceled: {} } }
const standby: Reply = { status: 503, json: { error: '', code: 'standby' } }

/** Two programs of an exchange, and a client of both. */
async function exchange(...replies: [Reply | ((count: number) => Promise<Reply>), Reply]) {
  const answers = (reply: (typeof replies)[number]) => service((_, count) => (typeof reply === 'function' ? reply(count) : reply))
  const [first, second] = await Promise.all(replies.map(answers))
  onTestFinished(() => {
    for (const each of [first, second]) each!.close()
  })
  const url = [first!.url, `${second!.url}/`]
  return { url, first: first!.arrived, second: second!.arrived, client: venueClient({ url, apiKey, retry }) }
}

test.each<[string, Reply]>([
  ['does not answer', 'drop'],
  ['only follows', standby],
])('when the first address %s, the same bytes go to the second, where it goes on', async (_, reply) => {
  const { client, first, second } = await exchange(reply, cancelled)
  await client.cancelAll()
  await client.cancelAll()
  expect([first.length, second.length]).toEqual([1, 2])
  expect(second[0]!.headers.svc_signature).toBe(first[0]!.headers.svc_signature)
})

test('what would take effect twice is not sent to the second address', async () => {
  const { client, second } = await exchange('drop', { json: { balance: '1' } })
  await expect(client.faucet({ body: { address: apiKey.address, amount: '1' } })).rejects.toThrow(NoAnswerError)
  expect(second).toHaveLength(0)
  await client.faucet({ body: { address: apiKey.address, amount: '1' } })
  expect(second).toHaveLength(1)
})

test('after a lost answer, an address that only follows leaves the outcome unknown', async () => {
  const { client, first, second } = await exchange('drop', standby)
  await expect(client.cancelAll()).rejects.toThrow(NoAnswerError)
  expect([first.length, second.length]).toEqual([2, 1])
})

test('calls that fail together leave an address once', async () => {
  const calls = Promise.withResolvers<void>()
  // None hears that it has to leave before all have asked.
  const { client, first, second } = await exchange(async (count) => {
    if (count === 3) calls.resolve()
    await calls.promise
    return standby
  }, cancelled)
  await Promise.all([client.cancelAll(), client.cancelAll(), client.cancelAll()])
  await client.cancelAll()
  expect([first.length, second.length]).toEqual([3, 4])
})

test('a wallet signs for the host of the first address, whichever is asked', async () => {
  const trio: Reply = { json: { apiKey: apiKey.key, secret: apiKey.secret, passphrase: 'p' } }
  const { url, first, second } = await exchange('drop', trio)
  const wallet = privateKeyToAccount(`0x${'01'.repeat(32)}`)
  expect(await createApiKey({ url, wallet, chainId: 80002, retry })).toMatchObject({ key: apiKey.key })
  expect(second[0]!.headers.svc_signature).toBe(first[0]!.headers.svc_signature)
})

test('a socket that is not served at the first address is opened at the second', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  const socket = new ReconnectingSocket(
    { url: ['ws://127.0.0.1:1', `ws://127.0.0.1:${(server.address() as AddressInfo).port}`], reconnectMs: 1 },
    { onOpen: () => socket.confirm(), onMessage: () => {} },
  )
  onTestFinished(() => {
    socket.close()
    for (const client of server.clients) client.terminate()
    server.close()
  })
  socket.connect()
  await expect.poll(() => socket.status).toBe('live')
})

test('an empty list of addresses is refused', () => {
  expect(() => venueClient({ url: [] })).toThrow(TypeError)
})
