import { concatHex, getAddress, type Hex, hashTypedData, keccak256, padHex, stringToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { createProxyTypedData, proxyFactory, proxyWalletOf } from '../src/proxy-wallet.ts'
import { recoverSigner } from '../src/recover.ts'

const owner = privateKeyToAccount(`0x${'a1'.repeat(32)}`)
const bytes = (hex: Hex) => Buffer.from(hex.slice(2), 'hex')

test('the address is the last 20 bytes of keccak256(ff ‖ factory ‖ keccak256(owner as a word) ‖ hash of the code)', () => {
  const code = keccak256(stringToHex('augury proxy wallet'))
  const salt = keccak256(padHex(owner.address, { size: 32 }))
  expect(proxyWalletOf(owner.address)).toBe(getAddress(`0x${keccak256(concatHex(['0xff', proxyFactory, salt, code])).slice(-40)}`))
  expect(proxyWalletOf(owner.address.toLowerCase() as Hex)).toBe(proxyWalletOf(owner.address))
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
