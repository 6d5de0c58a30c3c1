import type { WalletChain } from '@augury/wire/platform/wallet-chain'
import { getAddress } from 'viem'
import { expect, test, vi } from 'vitest'
import { extensionWallet } from '../src/lib/wallet/extension-wallet.ts'
import { type PhoneClient, type PhoneProvider, type PhoneSession, pairPhone } from '../src/lib/wallet/phone-provider.ts'

const ADDRESS = getAddress('0x00000000000000000000000000000000000000aa')
const OTHER = getAddress('0x00000000000000000000000000000000000000bb')
const CHAIN = 31_337
const chain: WalletChain = {
  chainId: '0x7a69',
  chainName: 'Anvil',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: ['http://127.0.0.1'],
}
const typedData = { domain: {}, types: { Word: [{ name: 'text', type: 'string' }] }, primaryType: 'Word', message: { text: 'x' } }
const ALL = ['personal_sign', 'eth_signTypedData_v4', 'wallet_switchEthereumChain', 'wallet_addEthereumChain']

interface Phone {
  accounts?: string[]
  methods?: string[]
  /** What the wallet does with a request; what it throws is its refusal. */
  answer?: (method: string, session: PhoneSession['namespaces'][string]) => unknown
  approval?: () => Promise<PhoneSession>
}

/** A relay with one phone behind it, and what reached the phone. */
function relayTo({ accounts = [`eip155:${CHAIN}:${ADDRESS}`], methods = ALL, answer = () => '0x12', approval }: Phone = {}) {
  const namespace = { accounts, methods }
  const session: PhoneSession = { topic: 'one', namespaces: { eip155: namespace } }
  const asked: [method: string, chainId: string][] = []
  const left: string[] = []
  const wanted: unknown[] = []
  const listeners = new Map<string, Set<(change: { topic: string; params?: unknown }) => void>>()
  const client: PhoneClient = {
    connect: async (what) => {
      wanted.push(what)
      return { uri: 'wc:one', approval: approval ?? (async () => session) }
    },
    request: async ({ chainId, request }) => {
      asked.push([request.method, chainId])
      return answer(request.method, namespace)
    },
    disconnect: async ({ topic }) => void left.push(topic),
    session: {
      get: (topic) => {
        if (left.includes(topic)) throw new Error('No matching key.')
        return session
      },
    },
    events: {
      on: (event, listener) => listeners.set(event, (listeners.get(event) ?? new Set()).add(listener)),
      off: (event, listener) => listeners.get(event)?.delete(listener),
    },
  }
  const emit = (event: string, change: { topic: string; params?: unknown }) => {
    for (const listener of listeners.get(event) ?? []) listener(change)
  }
  return { client, namespace, asked, left, wanted, emit, listeners }
}
const pair = (client: PhoneClient, signal = new AbortController().signal) => pairPhone(client, { chainId: CHAIN, onuri: () => {}, signal })
const walletOf = async (provider: PhoneProvider, account: string | null = null) =>
  extensionWallet(provider, { chainId: CHAIN, chain, account })

test('a phone signs texts and typed data on the exchange’s chain, after its code was shown', async () => {
  const { client, asked, wanted } = relayTo()
  const shown: string[] = []
  const provider = await pairPhone(client, { chainId: CHAIN, onuri: (uri) => shown.push(uri), signal: new AbortController().signal })
  const wallet = await walletOf(provider)
  expect([shown, wallet.address]).toEqual([['wc:one'], ADDRESS])
  expect(await wallet.signMessage({ message: 'x' })).toBe('0x12')
  expect(await wallet.signTypedData(typedData)).toBe('0x12')
  expect(asked).toEqual([
    ['personal_sign', 'eip155:31337'],
    ['eth_signTypedData_v4', 'eip155:31337'],
  ])
  expect(wanted).toEqual([
    { optionalNamespaces: { eip155: { chains: ['eip155:31337', 'eip155:1'], methods: ALL, events: ['accountsChanged', 'chainChanged'] } } },
  ])
})

test('a phone without the exchange’s chain is offered it, and signs once it has it', async () => {
  const { client, asked } = relayTo({
    accounts: [`eip155:1:${ADDRESS}`],
    answer: (method, session) => {
      if (method === 'wallet_switchEthereumChain') throw { code: 4902, message: 'Unrecognized chain ID.' }
      if (method === 'wallet_addEthereumChain') session.accounts.push(`eip155:${CHAIN}:${ADDRESS}`)
      return method === 'wallet_addEthereumChain' ? null : '0x34'
    },
  })
  expect(await (await walletOf(await pair(client))).signTypedData(typedData)).toBe('0x34')
  expect(asked).toEqual([
    ['wallet_switchEthereumChain', 'eip155:1'],
    ['wallet_addEthereumChain', 'eip155:1'],
    ['eth_signTypedData_v4', 'eip155:31337'],
  ])
})

test('a phone that can neither switch nor add a chain signs no typed data', async () => {
  const { client, asked } = relayTo({ accounts: [`eip155:1:${ADDRESS}`], methods: ['personal_sign', 'eth_signTypedData_v4'] })
  const wallet = await walletOf(await pair(client))
  await expect(wallet.signTypedData(typedData)).rejects.toThrow('The wallet does not know chain Anvil.')
  expect(await wallet.signMessage({ message: 'x' })).toBe('0x12')
  expect(asked).toEqual([['personal_sign', 'eip155:1']])
})

test('a phone with another account than the member’s is refused before anything reaches it', async () => {
  const { client, asked } = relayTo({ accounts: [`eip155:${CHAIN}:${OTHER}`] })
  await expect(walletOf(await pair(client), ADDRESS)).rejects.toThrow('The wallet uses 0x0000…00bb')
  const both = relayTo({ accounts: [`eip155:${CHAIN}:${OTHER}`, `eip155:${CHAIN}:${ADDRESS.toLowerCase()}`] })
  expect((await walletOf(await pair(both.client), ADDRESS)).address).toBe(ADDRESS)
  expect(asked).toEqual([])
})

test.each<[string, (relay: ReturnType<typeof relayTo>) => void]>([
  ['changes its account', ({ emit }) => emit('session_event', event('accountsChanged', [`eip155:1:${OTHER}`]))],
  ['tells it without a chain', ({ emit }) => emit('session_event', event('accountsChanged', [OTHER.toLowerCase()]))],
  [
    'takes the account out of the session',
    ({ emit, namespace }) => {
      namespace.accounts = [`eip155:1:${OTHER}`]
      emit('session_update', { topic: 'one' })
    },
  ],
  [
    'leaves',
    ({ emit, left }) => {
      left.push('one')
      emit('session_delete', { topic: 'one' })
    },
  ],
])('when a phone %s, it is noticed once', async (_, change) => {
  const relay = relayTo()
  const heard: string[] = []
  const stop = (await walletOf(await pair(relay.client))).follow!((why) => heard.push(why))
  relay.emit('session_event', event('chainChanged', 1))
  relay.emit('session_event', { ...event('accountsChanged', [OTHER]), topic: 'another' })
  relay.emit('session_update', { topic: 'one' })
  expect(heard).toEqual([])
  change(relay)
  expect(heard).toEqual(['The wallet now uses another account. Choose the wallet again to go on.'])
  stop()
  expect([...relay.listeners.values()].map((each) => each.size)).toEqual([0, 0, 0, 0])
})
const event = (name: string, data: unknown) => ({ topic: 'one', params: { event: { name, data }, chainId: 'eip155:1' } })

test('a phone that has left signs nothing', async () => {
  const { client, asked } = relayTo()
  const provider = await pair(client)
  const wallet = await walletOf(provider)
  await provider.leave()
  await expect(wallet.signMessage({ message: 'x' })).rejects.toThrow('The wallet now uses another account.')
  expect(asked).toEqual([])
})

test('a refusal on the phone is thrown as it came', async () => {
  const refused = { code: 5000, message: 'User rejected.' }
  await expect(pair(relayTo({ approval: () => Promise.reject(refused) }).client)).rejects.toEqual(refused)
  const wallet = await walletOf(await pair(relayTo({ answer: () => Promise.reject(refused) }).client))
  await expect(wallet.signMessage({ message: 'x' })).rejects.toThrow('You declined the request in your wallet.')
})

test('a cancelled wait ends, and a late approval is ended on the phone', async () => {
  const { promise, resolve } = Promise.withResolvers<PhoneSession>()
  const { client, left } = relayTo({ approval: () => promise })
  const stop = new AbortController()
  const pairing = pair(client, stop.signal)
  await vi.waitFor(() => expect(client).toBeDefined())
  stop.abort(new Error('stopped'))
  await expect(pairing).rejects.toThrow('stopped')
  resolve({ topic: 'late', namespaces: {} })
  await vi.waitFor(() => expect(left).toEqual(['late']))
  await expect(pair(client, stop.signal)).rejects.toThrow('stopped')
})
