import { hashTypedData, hexToBytes } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { clobAuthTypedData, loginTypedData } from '../src/login.ts'
import { recoverSigner } from '../src/recover.ts'

const wallet = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')

test('the established login has the signature of established clients', async () => {
  const signature = await wallet.signTypedData(
    clobAuthTypedData({ chainId: 137, address: wallet.address, timestamp: '1767225600', nonce: 0n }),
  )
  expect(signature.slice(0, 10)).toBe('0x51d1afb2')
  expect(signature.slice(-6)).toBe('0aff1b')
})

test('our own login names its host: a signature for one is invalid at another', async () => {
  const login = {
    chainId: 80002,
    address: wallet.address,
    host: 'localhost:3001',
    method: 'POST',
    path: '/auth/api-key',
    timestamp: '1767225600',
    nonce: 0n,
  } as const
  const signature = hexToBytes(await wallet.signTypedData(loginTypedData(login)))
  const digest = (change: object) => hexToBytes(hashTypedData(loginTypedData({ ...login, ...change })))
  expect(await recoverSigner(digest({}), signature)).toBe(wallet.address.toLowerCase())
  for (const change of [
    { host: 'localhost:3002' },
    { chainId: 137 },
    { path: '/x' },
    { method: 'GET' },
    { timestamp: '1767225601' },
    { nonce: 1n },
  ]) {
    expect(await recoverSigner(digest(change), signature)).not.toBe(wallet.address.toLowerCase())
  }
})
