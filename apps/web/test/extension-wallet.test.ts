import type { WalletChain } from '@augury/wire/platform/wallet-chain'
import { getAddress } from 'viem'
import { expect, test } from 'vitest'
import type { Provider } from '../src/lib/wallet/announced-wallets.ts'
import { extensionWallet } from '../src/lib/wallet/extension-wallet.ts'
import { kindOf } from '../src/lib/wallet/provider-failure.ts'

const ADDRESS = getAddress('0x00000000000000000000000000000000000000aa')
const OTHER = getAddress('0x00000000000000000000000000000000000000bb')
const CHAIN = 31_337
const HEX = '0x7a69'
const chain: WalletChain = {
  chainId: HEX,
  chainName: 'Anvil',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: ['http://127.0.0.1'],
}
const typedData = {
  domain: { name: 'Test' },
  types: { Word: [{ name: 'text', type: 'string' }] },
  primaryType: 'Word',
  message: { text: 'x' },
}

interface Habits {
  accounts?: string[]
  chains?: string[]
  /** Errors by method, once each or always. */
  fails?: Record<string, object>
  /** Whether adding a chain switches to it. */
  switches?: boolean
  /** What the user picks when the wallet asks for permissions. */
  picks?: string[]
}

/** A wallet as people have them, and what was asked of it. */
function walletOf({ accounts = [ADDRESS], chains = ['0x1'], fails = {}, switches = true, picks }: Habits = {}) {
  const state = {
    accounts,
    chain: '0x1',
    asked: [] as string[],
    added: null as unknown,
    listeners: new Set<(accounts: string[]) => void>(),
  }
  const answers: Record<string, (parameter: { chainId: string }) => unknown> = {
    eth_requestAccounts: () => state.accounts,
    eth_accounts: () => state.accounts,
    eth_chainId: () => state.chain,
    wallet_switchEthereumChain: ({ chainId }) => {
      if (!chains.includes(chainId)) throw { code: 4902, message: 'Unrecognized chain ID.' }
      state.chain = chainId
    },
    wallet_addEthereumChain: (parameter) => {
      state.added = parameter
      chains.push(parameter.chainId)
      if (switches) state.chain = parameter.chainId
    },
    wallet_requestPermissions: () => {
      if (!picks) throw { code: -32601, message: 'no such method' }
      state.accounts = picks
    },
    personal_sign: () => '0x12',
    eth_signTypedData_v4: () => '0x34',
  }
  const provider: Provider = {
    async request({ method, params = [] }) {
      state.asked.push(method)
      if (fails[method]) throw fails[method]
      return answers[method]!(params[0] as { chainId: string })
    },
    on: (_, listener) => state.listeners.add(listener),
    removeListener: (_, listener) => state.listeners.delete(listener),
  }
  return { provider, state }
}
const need = { chainId: CHAIN, chain, account: null }
const sign = async (provider: Provider, its: Parameters<typeof extensionWallet>[1] = need) => {
  try {
    return await (await extensionWallet(provider, its)).signTypedData(typedData)
  } catch (error) {
    return (error as Error).message
  }
}

const nested = { code: -32603, message: 'Internal JSON-RPC error.' }
test.each<[string, object]>([
  ['by the code', { code: 4902, message: 'Unrecognized chain ID "0x7a69".' }],
  ['by the code as a text', { code: '4902' }],
  ['by the code within data', { ...nested, data: { code: 4902 } }],
  ['by the code within another', { ...nested, data: { originalError: { code: 4902 } } }],
  ['by the code beside it', { ...nested, originalError: { code: 4902 } }],
  ['by the code of the cause', Object.assign(new Error('x'), { cause: { code: 4902 } })],
  ['by words alone', { ...nested, message: 'Unrecognized chain ID "0x7a69". Try adding the chain using wallet_addEthereumChain first.' }],
  ['by not knowing how to switch', { code: 4200, message: 'Unsupported method' }],
])('a wallet that lacks the chain, as it tells %s, is offered it', async (_, error) => {
  const { provider, state } = walletOf({ fails: { wallet_switchEthereumChain: error } })
  expect(await sign(provider)).toBe('0x34')
  expect(state.added).toEqual(chain)
  expect(state.asked.indexOf('wallet_addEthereumChain')).toBeLessThan(state.asked.indexOf('eth_signTypedData_v4'))
})

test('a wallet that does not switch to a chain that it added is asked to', async () => {
  const { provider, state } = walletOf({ switches: false })
  expect(await sign(provider)).toBe('0x34')
  expect(state.asked.filter((method) => method === 'wallet_switchEthereumChain')).toHaveLength(2)
})

test('a chain that the wallet has is switched to, and the present one is not', async () => {
  const other = walletOf({ chains: ['0x1', HEX] })
  expect(await sign(other.provider)).toBe('0x34')
  expect(other.state.asked).not.toContain('wallet_addEthereumChain')
  expect(await sign(other.provider)).toBe('0x34')
  expect(other.state.asked.filter((method) => method === 'wallet_switchEthereumChain')).toHaveLength(1)
})

test.each<[string, Habits, Partial<typeof need>, string]>([
  ['has no way to add the chain', { fails: { wallet_addEthereumChain: { code: 4200 } } }, {}, 'The wallet does not know chain Anvil.'],
  ['lacks a chain without a public node', {}, { chain: null as never }, 'The wallet does not know chain 31337.'],
  [
    'has the offer of the chain declined',
    { fails: { wallet_addEthereumChain: { code: 4001 } } },
    {},
    'You declined the request in your wallet.',
  ],
  [
    'says that it switched and did not',
    { fails: { wallet_switchEthereumChain: { code: 4902 } }, switches: false },
    {},
    'The wallet refused',
  ],
  ['has no account', { accounts: [] }, {}, 'The wallet offers no account.'],
  ['has a request open', { fails: { eth_requestAccounts: { code: -32002 } } }, {}, 'The wallet already shows a request.'],
  ['fails without a code', { fails: { eth_requestAccounts: new Error('It broke.') } }, {}, 'The wallet refused: It broke.'],
])('of a wallet that %s nothing is signed, and it is said why', async (_, habits, its, text) => {
  const { provider, state } = walletOf(habits)
  expect(await sign(provider, { ...need, ...its })).toContain(text)
  expect(state.asked).not.toContain('eth_signTypedData_v4')
})

test('an account that was changed after connecting signs nothing', async () => {
  const { provider, state } = walletOf({ chains: [HEX] })
  const wallet = await extensionWallet(provider, need)
  state.accounts = [OTHER]
  await expect(wallet.signMessage({ message: 'x' })).rejects.toThrow('The wallet now uses another account.')
  await expect(wallet.signTypedData(typedData)).rejects.toThrow('The wallet now uses another account.')
  expect(state.asked.filter((method) => /sign/.test(method))).toEqual([])
})

test('a wallet that was locked meanwhile is asked to open', async () => {
  const { provider, state } = walletOf()
  const wallet = await extensionWallet(provider, need)
  const { request } = provider
  provider.request = async (call) => (call.method === 'eth_accounts' ? [] : request(call))
  expect(await wallet.signMessage({ message: 'x' })).toBe('0x12')
  expect(state.asked).toEqual(['eth_requestAccounts', 'eth_requestAccounts', 'personal_sign'])
})

test('a change of accounts is reported once it concerns the one in use', async () => {
  const { provider, state } = walletOf()
  const heard: string[] = []
  const stop = (await extensionWallet(provider, need)).follow!((why) => heard.push(why))
  for (const listener of state.listeners) listener([OTHER, ADDRESS.toLowerCase()])
  expect(heard).toEqual([])
  for (const listener of state.listeners) listener([OTHER])
  expect(heard).toEqual(['The wallet now uses another account. Choose the wallet again to go on.'])
  stop()
  expect(state.listeners.size).toBe(0)
})

test('a member’s own account is used, wherever it is in the list', async () => {
  const { provider } = walletOf({ accounts: [OTHER, ADDRESS.toLowerCase()] })
  expect((await extensionWallet(provider, { ...need, account: ADDRESS })).address).toBe(ADDRESS)
})

test('a wallet with another account than the member’s is asked for it, and refused if it stays', async () => {
  const stays = walletOf({ accounts: [OTHER] })
  expect(await sign(stays.provider, { ...need, account: ADDRESS })).toBe(
    'The wallet uses 0x0000…00bb, and you are signed in with 0x0000…00AA. Switch to that account in the wallet, or choose another wallet.',
  )
  expect(stays.state.asked).not.toContain('eth_signTypedData_v4')
  const picked = walletOf({ accounts: [OTHER], picks: [ADDRESS], chains: [HEX] })
  expect(await sign(picked.provider, { ...need, account: ADDRESS })).toBe('0x34')
})

test.each<[unknown, string]>([
  [{ code: 4001 }, 'declined'],
  [{ code: 5000, message: 'User rejected' }, 'declined'],
  [{ code: 'ACTION_REJECTED' }, 'declined'],
  [{ code: -32603, data: { originalError: { code: 4001 } } }, 'declined'],
  [{ code: -32000, message: 'User denied message signature' }, 'declined'],
  ['User rejected the request', 'declined'],
  [{ code: 4100 }, 'no_account'],
  [{ code: -32601 }, 'no_method'],
  [undefined, 'other'],
  [null, 'other'],
  [new Error('x'), 'other'],
])('%o is read as %s', (error, kind) => {
  expect(kindOf(error)).toBe(kind)
})
