import { expect, test } from 'vitest'
import { walletChain } from '../src/chain/wallet-chain.ts'

const unset = { chainName: null, chainPublicRpc: null, chainExplorer: null, chainCoin: null }

test('a known chain needs no settings', () => {
  expect(walletChain({ chainId: 80_002, ...unset })).toEqual({
    chainId: '0x13882',
    chainName: 'Polygon Amoy',
    nativeCurrency: { name: 'POL', symbol: 'POL', decimals: 18 },
    rpcUrls: [expect.stringMatching(/^https:/)],
    blockExplorerUrls: [expect.stringMatching(/^https:/)],
  })
})

test('the settings describe any other chain, and win over what is known', () => {
  const set = { chainName: 'Ours', chainPublicRpc: 'https://rpc.test', chainExplorer: 'https://look.test', chainCoin: 'COIN' }
  for (const chainId of [80_002, 424_242])
    expect(walletChain({ chainId, ...set })).toEqual({
      chainId: `0x${chainId.toString(16)}`,
      chainName: 'Ours',
      nativeCurrency: { name: 'COIN', symbol: 'COIN', decimals: 18 },
      rpcUrls: ['https://rpc.test'],
      blockExplorerUrls: ['https://look.test'],
    })
})

test('a chain without a public node is not offered, and one without an explorer names none', () => {
  expect(walletChain({ chainId: 424_242, ...unset })).toBeNull()
  expect(walletChain({ chainId: 424_242, ...unset, chainPublicRpc: 'https://rpc.test' })).toEqual({
    chainId: '0x67932',
    chainName: 'Chain 424242',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: ['https://rpc.test'],
  })
})

test('the chain that a sandbox runs by itself is never taken for the public one with the same number', () => {
  expect(walletChain({ chainId: 80_002, ...unset }, 'http://127.0.0.1:3006')).toEqual({
    chainId: '0x13882',
    chainName: 'Augury sandbox',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: ['http://127.0.0.1:3006'],
  })
})
