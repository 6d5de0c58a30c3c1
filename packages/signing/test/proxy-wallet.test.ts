import { type Hex, hashTypedData, padHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { createProxyTypedData, proxyWalletOf, SAFE_CONTRACTS } from '../src/proxy-wallet.ts'
import { recoverSigner } from '../src/recover.ts'

const owner = privateKeyToAccount(`0x${'a1'.repeat(32)}`)
const bytes = (hex: Hex) => Buffer.from(hex.slice(2), 'hex')

test('the address does not depend on how the owner is written, and the factory deploys it', () => {
  expect(proxyWalletOf('0x1111111111111111111111111111111111111111')).toBe('0x139Bf58F14B1a8f0E9D29Ef7ea21d62a5fBafb77')
  expect(proxyWalletOf(owner.address.toLowerCase() as Hex)).toBe(proxyWalletOf(owner.address))
  expect(createProxyTypedData(137).domain.verifyingContract).toBe(SAFE_CONTRACTS.safeProxyFactory)
})

test('owners have different wallets', () => {
  const owners = Array.from({ length: 100 }, (_, number) => padHex(`0x${(number + 1).toString(16)}`, { size: 20 }))
  expect(new Set(owners.map(proxyWalletOf)).size).toBe(100)
})

test.each([80002, 137])('on chain %i the owner’s signature is valid, and on no other', async (chainId) => {
  const signature = bytes(await owner.signTypedData(createProxyTypedData(chainId)))
  expect(await recoverSigner(bytes(hashTypedData(createProxyTypedData(chainId))), signature)).toBe(owner.address.toLowerCase())
  expect(await recoverSigner(bytes(hashTypedData(createProxyTypedData(1))), signature)).not.toBe(owner.address.toLowerCase())
})
