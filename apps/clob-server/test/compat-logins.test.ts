import { derivedWallets } from '@augury/signing/derived-wallets'
import { clobAuthTypedData } from '@augury/signing/login'
import { establishedOrderDomain } from '@augury/signing/order-domains'
import { expect, test } from 'vitest'
import { Caller, send } from './caller.ts'
import { funded } from './market.ts'
import { runningServer, wallets } from './running-server.ts'

// How clients in other languages log in and sign, and the wallets that they derive.

const running = await runningServer()
const compat = `${running.url}/compat`
const alice = await Caller.with(compat, (await funded(running.url, wallets.alice, '1000')).key)
const bob = await Caller.with(compat, (await funded(running.url, wallets.bob, '1000')).key)

test.each([
  ['GET', '/data/orders', undefined],
  ['DELETE', '/cancel-all', undefined],
  ['DELETE', '/notifications?ids=1', undefined],
  ['POST', '/orders-scoring', ['0x12']],
] as const)('%s %s may be signed with the mount, as who signs the path of an address does', async (method, path, body) => {
  const text = body && JSON.stringify(body)
  const headers = await alice.headers(method, `/compat${path.split('?')[0]}`, text)
  const poly = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.replace('SVC_', 'POLY_'), value]))
  expect((await send(compat, method, path, text, poly)).status).toBe(200)
})

const login = async (chainId: number) => {
  const [address, timestamp] = [wallets.bob.address, String(Math.floor(Date.now() / 1000))]
  const signature = await wallets.bob.signTypedData(clobAuthTypedData({ chainId, address, timestamp, nonce: 0n }))
  const headers = { POLY_ADDRESS: address, POLY_SIGNATURE: signature, POLY_TIMESTAMP: timestamp, POLY_NONCE: '0' }
  return send(compat, 'GET', '/auth/derive-api-key', undefined, headers)
}

test('a sandbox accepts logins of both chains that clients have built in, and names them in answer to one of another', async () => {
  for (const chain of [137, 80002]) expect([chain, (await login(chain)).status]).not.toEqual([chain, 401])
  expect(await login(1)).toMatchObject({
    status: 401,
    body: { error: 'Invalid L1 Request headers: the login must be signed by the named address for chain 80002 or 137' },
  })
})

test('the wallets that a client derives from its key are its own after a login, and another one is refused with the way to register it', async () => {
  await login(137)
  const [proxy, safe] = derivedWallets(wallets.bob.address)
  const registered = (await bob.call('GET', '/auth/wallets')).body.wallets.map(({ address }: { address: string }) => address.toLowerCase())
  expect(registered).toEqual(expect.arrayContaining([proxy!.address, safe!.address]))
  expect((await send(compat, 'GET', `/positions?user=${safe!.address}`)).body).toEqual(
    (await send(compat, 'GET', `/positions?user=${wallets.bob.address}`)).body,
  )
})

test('allowances are unlimited by the contract that a client looks for', async () => {
  const { allowance, allowances } = await alice.cash()
  for (const version of [1, 2, 3] as const) {
    for (const isNegRisk of [false, true]) {
      const { verifyingContract } = establishedOrderDomain(running.settings.chainId, version, isNegRisk)!
      expect([verifyingContract, allowances[verifyingContract]]).toEqual([verifyingContract, allowance])
    }
  }
})
