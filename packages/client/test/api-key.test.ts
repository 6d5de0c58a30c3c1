import { loginTypedData } from '@augury/signing/login'
import { recoverSigner } from '@augury/signing/recover'
import { type Hex, hashTypedData, hexToBytes } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { BadAnswerError } from '../src/answer.ts'
import { createApiKey, deriveApiKey } from '../src/api-key.ts'
import { type Reply, service } from './service.ts'

const wallet = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
const trio = { apiKey: '3f2504e0-4f89-41d3-9a0c-0305e82c3301', secret: 'AA==', passphrase: 'p' }

test('a wallet creates and derives its key with a signature that names this host and chain', async () => {
  const { url, arrived, close } = await service(() => ({ json: trio }))
  const key = await createApiKey({ wallet, url, chainId: 80002, nonce: 7n, scope: 'read', name: 'desk' })
  await deriveApiKey({ wallet, url, chainId: 80002 })
  await deriveApiKey({ wallet, url, host: 'exchange.example.org', chainId: 80002 }) // internal URL, public host name
  close()
  expect(key).toEqual({ address: wallet.address, key: trio.apiKey, secret: trio.secret, passphrase: trio.passphrase })
  expect(arrived.map(({ method, url: path, body }) => [method, path, body.toString()])).toEqual([
    ['POST', '/auth/api-key', '{"name":"desk","scope":"read"}'],
    ['GET', '/auth/derive-api-key', ''],
    ['GET', '/auth/derive-api-key', ''],
  ])
  const inner = new URL(url).host
  for (const [index, [nonce, host]] of (
    [
      [7n, inner],
      [0n, inner],
      [0n, 'exchange.example.org'],
    ] as const
  ).entries()) {
    const { method, url: path, headers } = arrived[index]!
    const login = loginTypedData({
      chainId: 80002,
      address: wallet.address,
      host,
      method: method as 'GET' | 'POST',
      path,
      timestamp: headers.svc_timestamp as string,
      nonce,
    })
    const signer = await recoverSigner(hexToBytes(hashTypedData(login)), hexToBytes(headers.svc_signature as Hex))
    expect([signer, headers.svc_nonce]).toEqual([wallet.address.toLowerCase(), String(nonce)])
  }
})

test.each<[string, Reply, object]>([
  ['is signed with the server’s time', { json: 1_710_000_000 }, { key: trio.apiKey }],
  ['is refused when the server’s time cannot be read', 'drop', { name: 'RefusedError', code: 'stale_timestamp' }],
])('with a wrong clock the request %s', async (_, time, outcome) => {
  const { url, arrived, close } = await service(({ url: path, headers }) => {
    if (path === '/time') return time
    const isStale = Math.abs(Number(headers.svc_timestamp) - 1_710_000_000) > 30
    return isStale ? { status: 401, json: { error: 'Unauthenticated', code: 'stale_timestamp' } } : { json: trio }
  })
  const created = createApiKey({ wallet, url, chainId: 80002, now: () => 1_710_000_040_000 })
  await expect(created.catch((error) => error)).resolves.toMatchObject(outcome)
  close()
  const signatures = arrived.flatMap(({ headers }) => headers.svc_signature ?? [])
  expect(new Set(signatures).size).toBe(time === 'drop' ? 1 : 2)
})

test('a lost answer is asked for again with the same signature, as the key is the same', async () => {
  const { url, arrived, close } = await service((_, count) => (count === 1 ? 'drop' : { json: trio }))
  expect(await createApiKey({ wallet, url, chainId: 80002, retry: { attempts: 2, pauseMs: 1 } })).toMatchObject({ key: trio.apiKey })
  close()
  expect(arrived).toHaveLength(2)
  expect(new Set(arrived.map(({ headers }) => headers.svc_signature)).size).toBe(1)
})

test('the chain id is that of the service', async () => {
  const status = {
    mode: 'normal',
    since: '2026-01-01T00:00:00Z',
    seq: 0,
    epoch: 1,
    projected_seq: 0,
    lag: 0,
    history: 'following',
    writer: 'primary',
    sandbox: true,
    chain_id: 137,
  }
  const { url, arrived, close } = await service(({ url: path }) => ({ json: path === '/status' ? status : trio }))
  await createApiKey({ wallet, url })
  close()
  const { headers } = arrived[1]!
  const timestamp = headers.svc_timestamp as string
  const login = loginTypedData({
    chainId: 137,
    address: wallet.address,
    host: new URL(url).host,
    method: 'POST',
    path: '/auth/api-key',
    timestamp,
    nonce: 0n,
  })
  expect(await recoverSigner(hexToBytes(hashTypedData(login)), hexToBytes(headers.svc_signature as Hex))).toBe(wallet.address.toLowerCase())
})

test.each([
  ['a page', '<html></html>'],
  ['a key that is no text', { ...trio, apiKey: 7 }],
  ['nothing', {}],
])('a response of %s is not accepted as a key', async (_, json) => {
  const { url, close } = await service(() => ({ json }))
  for (const ask of [createApiKey, deriveApiKey]) await expect(ask({ wallet, url, chainId: 80002 })).rejects.toThrow(BadAnswerError)
  close()
})
