import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fc } from '@augury/testing/properties'
import { concatHex, encodeErrorResult, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage } from 'viem/siwe'
import { serializeErc6492Signature, serializeErc8010Signature } from 'viem/utils'
import { afterAll, expect, test, vi } from 'vitest'
import { chainNode } from '../src/chain/chain-node.ts'
import { readMessage } from '../src/identity/sign-in-message.ts'
import { walletSignature } from '../src/identity/wallet-signature.ts'

/** A fake JSON-RPC node, with responses set by each test. */
let answers: Record<string, unknown> = {}
let asked: string[] = []
const node = createServer(async (request, response) => {
  const body = JSON.parse(Buffer.concat(await request.toArray()).toString('utf8'))
  asked.push(body.method)
  const result = answers[body.method]
  if (result === 'silence') return
  const reverted = { error: { code: 3, message: 'execution reverted', data: answers.reverted } }
  const said = result === undefined ? reverted : { result }
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id: body.id, ...said }))
}).listen(0, '127.0.0.1')
await once(node, 'listening')
afterAll(() => {
  node.closeAllConnections()
  node.close()
})
const rpcUrl = `http://127.0.0.1:${(node.address() as AddressInfo).port}`

const CONTRACT = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'
const NOW = new Date('2026-11-20T12:00:00Z')
const owner = privateKeyToAccount(`0x${'33'.repeat(32)}`)
const messageOf = (address: `0x${string}`, chainId = 80002) =>
  readMessage(
    createSiweMessage({
      ...{ domain: 'site.test', address, uri: 'https://site.test', version: '1', chainId, nonce: 'a'.repeat(32), issuedAt: NOW },
    }),
  )!
const CODE = '0x6001'
const MAGIC = '1626ba7e'
const YES = `0x${MAGIC}${'00'.repeat(28)}`
const judge = async (known: Record<string, unknown>, { signature = '0x1234', chainId = 80002, url = rpcUrl as string | null } = {}) => {
  answers = { eth_chainId: '0x13882', ...known }
  asked = []
  return walletSignature(messageOf(CONTRACT, chainId), signature, { chainId: 80002, rpcUrl: url })
}

test('a contract wallet signs by its own code', async () => {
  expect(await judge({ eth_getCode: CODE, eth_call: YES })).toBe('contract')
})

test('a contract wallet that is not deployed yet sends its code along', async () => {
  const signature = serializeErc6492Signature({ address: owner.address, data: '0x12', signature: '0x34' })
  expect(await judge({ eth_getCode: '0x', eth_call: '0x01' }, { signature })).toBe('contract')
  for (const eth_call of ['0x00', '0x', '0x1', YES, `0x${'00'.repeat(31)}01`])
    expect(await judge({ eth_getCode: '0x', eth_call }, { signature })).toBeNull()
})

test('the node is asked for its chain every time, and one of another chain, or none that it tells, signs no member in', async () => {
  const signature = serializeErc6492Signature({ address: owner.address, data: '0x12', signature: '0x34' })
  const known = { eth_getCode: CODE, eth_call: YES }
  for (const eth_chainId of ['0x1', '0x89', undefined, '80002x']) {
    expect(await judge({ ...known, eth_chainId })).toBeNull()
    expect(await judge({ ...known, eth_call: '0x01', eth_chainId }, { signature })).toBeNull()
    expect(new Set(asked)).toEqual(new Set(['eth_chainId']))
  }
  expect(await judge(known)).toBe('contract')
})

test.each([
  ['its code says no', { eth_getCode: CODE, eth_call: `0xffffffff${'00'.repeat(28)}` }],
  ['its code answers with one byte', { eth_getCode: CODE, eth_call: '0x01' }],
  ['its code answers with the four bytes alone', { eth_getCode: CODE, eth_call: `0x${MAGIC}` }],
  ['its code answers with 31 bytes', { eth_getCode: CODE, eth_call: YES.slice(0, -2) }],
  ['its code answers with 33 bytes', { eth_getCode: CODE, eth_call: `${YES}00` }],
  ['its code fills the answer up with something', { eth_getCode: CODE, eth_call: `${YES.slice(0, -1)}1` }],
  ['its code pads the answer on the left', { eth_getCode: CODE, eth_call: `0x${'00'.repeat(28)}${MAGIC}` }],
  ['its code says true', { eth_getCode: CODE, eth_call: `0x${'00'.repeat(31)}01` }],
  ['its code says much', { eth_getCode: CODE, eth_call: `${YES}${'00'.repeat(9000)}` }],
  ['its code is longer than an answer may be', { eth_getCode: `0x${'60'.repeat(4200)}`, eth_call: YES }],
  ['its code says nothing', { eth_getCode: CODE, eth_call: '0x' }],
  ['its code gives up', { eth_getCode: CODE }],
  ['there is no code', { eth_getCode: '0x', eth_call: YES }],
  ['the node knows nothing', {}],
  ['the node does not answer', { eth_getCode: 'silence' }],
])('the signature is invalid when %s', async (_, known) => {
  expect(await judge(known)).toBeNull()
})

test('other chains are not queried, and without a node none is', async () => {
  expect(await judge({ eth_getCode: CODE, eth_call: YES }, { chainId: 1 })).toBeNull()
  expect(await judge({ eth_getCode: CODE, eth_call: YES }, { url: null })).toBeNull()
  expect(await walletSignature(messageOf(CONTRACT), '0x1234', { chainId: 80002, rpcUrl: 'http://127.0.0.1:1' })).toBeNull()
  expect(asked).toEqual([])
})

test('a key needs no node, and its malleable twin is refused', async () => {
  const message = messageOf(owner.address)
  const good = await owner.signMessage({ message: message.prepareMessage() })
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const s = (order - BigInt(`0x${good.slice(66, 130)}`)).toString(16).padStart(64, '0')
  const twin = good.slice(0, 66) + s + (good.endsWith('1b') ? '1c' : '1b')
  answers = { eth_getCode: '0x', eth_call: YES }
  asked = []
  expect(await walletSignature(message, good, { chainId: 80002, rpcUrl })).toBe('key')
  expect(asked).toEqual([])
  expect(await walletSignature(message, twin, { chainId: 80002, rpcUrl })).toBeNull()
})

test('redirects of a node are not followed', async () => {
  const elsewhere = createServer((_, response) => void response.writeHead(307, { location: rpcUrl }).end()).listen(0, '127.0.0.1')
  await once(elsewhere, 'listening')
  const url = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`
  expect(await judge({ eth_getCode: CODE, eth_call: YES }, { url })).toBeNull()
  expect(asked).toEqual([])
  elsewhere.close()
})

test('a key that says to which code it will hand its address is no wallet yet', async () => {
  const authorization = await owner.signAuthorization({ chainId: 80002, contractAddress: CONTRACT, nonce: 0 })
  const signature = serializeErc8010Signature({ authorization, data: '0x12', signature: '0x34' })
  answers = { eth_getCode: concatHex(['0xef0100', CONTRACT]), eth_call: YES }
  asked = []
  expect(await walletSignature(messageOf(owner.address), signature, { chainId: 80002, rpcUrl })).toBeNull()
  expect(asked).toEqual([])
})

test('code that says that its answer lies elsewhere is not followed', async () => {
  let hits = 0
  const elsewhere = createServer((_, response) => {
    hits++
    response.setHeader('content-type', 'application/json').end('{"data":"0x"}')
  }).listen(0, '127.0.0.1')
  await once(elsewhere, 'listening')
  const url = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`
  const reverted = encodeErrorResult({
    abi: parseAbi(['error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callback, bytes extraData)']),
    args: [CONTRACT, [`${url}/{data}`, url], '0x', '0x12345678', '0x'],
  })
  answers = { reverted }
  await expect(chainNode(rpcUrl).call({ to: CONTRACT, data: '0x' })).rejects.toThrow('reverted')
  expect(hits).toBe(0)
  elsewhere.close()
})

test('agrees with the reference library for every r and s with a low s', async () => {
  const chain = { chainId: 80002, rpcUrl: null }
  const quiet = vi.spyOn(console, 'error').mockImplementation(() => {}) // the library logs what it refuses
  const flipped = fc.record({ nibble: fc.integer({ min: 0, max: 127 }), by: fc.integer({ min: 0, max: 15 }) })
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 1e9 }), fc.integer({ min: 1, max: 5 }), flipped, async (key, other, { nibble, by }) => {
      const wallet = privateKeyToAccount(`0x${key.toString(16).padStart(64, '0')}`)
      const message = messageOf(other === 1 ? owner.address : wallet.address)
      const good = (await wallet.signMessage({ message: message.prepareMessage() })).slice(2)
      const digit = (Number.parseInt(good[nibble]!, 16) ^ by).toString(16)
      const signature = `0x${good.slice(0, nibble)}${digit}${good.slice(nibble + 1)}`
      const { domain, nonce } = message
      const { success } = await message.verify({ signature, domain, nonce, time: NOW.toISOString() }, { suppressExceptions: true })
      expect((await walletSignature(message, signature, chain)) === 'key').toBe(success)
    }),
    { numRuns: 60 },
  )
  quiet.mockRestore()
})
