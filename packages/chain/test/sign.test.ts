import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@augury/testing/temporary-folder'
import { type Hex, parseTransaction, recoverTransactionAddress, type TransactionSerializedEIP1559 } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import type { Clock, Signer, Transaction } from '../src/ports.ts'
import { keyFileSigner, keySigner, remoteSigner } from '../src/sign.ts'

const KEY = 'a1'.repeat(32)
const ACCOUNT = privateKeyToAccount(`0x${KEY}`)
const OTHER = privateKeyToAccount(`0x${'b2'.repeat(32)}`)
const TRANSACTION: Transaction = { chainId: 5, nonce: 0, to: `0x${'11'.repeat(20)}`, data: '0xabcd', gas: 50_000, maxFee: 30n, tip: 2n }
const CLOCK: Clock = { now: () => 0, sleep: (_, signal) => new Promise((resolve) => signal?.addEventListener('abort', () => resolve())) }

async function expectSigned(signer: Signer) {
  const serializedTransaction = (await signer.sign(TRANSACTION)) as TransactionSerializedEIP1559
  expect(await recoverTransactionAddress({ serializedTransaction })).toBe(ACCOUNT.address)
  expect(parseTransaction(serializedTransaction)).toMatchObject({
    chainId: 5,
    to: TRANSACTION.to,
    data: '0xabcd',
    gas: 50_000n,
    maxFeePerGas: 30n,
  })
}

test.each([KEY, `0x${KEY}`, `0x${KEY.toUpperCase()}`, ` ${KEY}\n`])('a key is read as %j', async (text) => {
  expect(keySigner(text).address).toBe(ACCOUNT.address.toLowerCase())
  await expectSigned(keySigner(text))
})

test.each(['', 'a1', 'zz'.repeat(32), '00'.repeat(32), 'ff'.repeat(32)])('%j is no key, and the message does not repeat it', (text) => {
  expect(() => keySigner(text)).toThrow(/^the key is (not 64 hex digits|no secp256k1 key)$/)
})

test('a key file is read if only its owner can read it', async () => {
  const path = join(temporaryFolder('key'), 'settler.key')
  writeFileSync(path, `0x${KEY}\n`)
  chmodSync(path, 0o640)
  await expect(keyFileSigner(path)).rejects.toThrow('chmod 600')
  chmodSync(path, 0o600)
  await expectSigned(await keyFileSigner(path))
})

/** Web3Signer as its API answers, with an account of its own and changes that it should not make. */
function web3Signer(account: typeof ACCOUNT, change: object = {}, answer?: unknown) {
  const fetch: typeof globalThis.fetch = async (_, init) => {
    const { id, method, params } = JSON.parse(String(init?.body))
    expect(method).toBe('eth_signTransaction')
    const [{ to, data, chainId, nonce, gas, maxFeePerGas, maxPriorityFeePerGas }] = params as [Record<string, Hex>]
    const result =
      answer ??
      (await account.signTransaction({
        type: 'eip1559',
        to,
        data,
        chainId: Number(chainId),
        nonce: Number(nonce),
        gas: BigInt(gas!),
        maxFeePerGas: BigInt(maxFeePerGas!),
        maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas!),
        ...change,
      }))
    return Response.json({ jsonrpc: '2.0', id, result })
  }
  return remoteSigner({ url: 'http://signer.example', clock: CLOCK, fetch }, ACCOUNT.address)
}

test('a remote signer signs exactly what it is sent', async () => {
  await expectSigned(web3Signer(ACCOUNT))
})

test.each<[string, object, typeof ACCOUNT, unknown?]>([
  ['with another key', {}, OTHER],
  ['for another receiver', { to: OTHER.address }, ACCOUNT],
  ['with other calldata', { data: '0xabce' }, ACCOUNT],
  ['with value', { value: 1n }, ACCOUNT],
  ['with another nonce', { nonce: 1 }, ACCOUNT],
  ['for another chain', { chainId: 6 }, ACCOUNT],
  ['for higher fees', { maxFeePerGas: 31n }, ACCOUNT],
  ['with more gas', { gas: 50_001n }, ACCOUNT],
  ['no bytes', {}, ACCOUNT, null],
  ['other bytes', {}, ACCOUNT, '0x02aa'],
])('a remote signer that signs %s is refused', async (_, change, account, answer) => {
  await expect(web3Signer(account, change, answer === undefined ? undefined : (answer ?? 'nothing')).sign(TRANSACTION)).rejects.toThrow(
    'another transaction',
  )
})
