import { foundryBinary } from '@augury/contracts/foundry'
import { abi as tokenAbi } from '@augury/contracts/generated/test-usdc'
import { abi as vaultAbi } from '@augury/contracts/generated/vault'
import { startChild } from '@augury/testing/child-process'
import { eventually } from '@augury/testing/eventually'
import { freePort } from '@augury/testing/free-port'
import { temporaryFolder } from '@augury/testing/temporary-folder'
import type { ChainPlace } from '@augury/wire/platform/deposits'
import type { SignedRoot } from '@augury/wire/proof'
import { encodeFunctionData, getAddress, type Hex, numberToHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect } from 'vitest'
import { CHAIN_ID, onAnvil, testDeployment } from '../../../packages/chain/test/anvil.ts'
import { readVault, type VaultReading, verdictOf } from '../src/lib/account/vault-reading.ts'
import { depositFromWallet } from '../src/lib/money/vault-deposit.ts'
import type { Provider } from '../src/lib/wallet/announced-wallets.ts'
import { extensionWallet } from '../src/lib/wallet/extension-wallet.ts'

const binary = foundryBinary('anvil')
const account = privateKeyToAccount(generatePrivateKey())
const operator = privateKeyToAccount(generatePrivateKey())
const { addresses, steps } = testDeployment({ operator: operator.address, guardian: operator.address })

let url = ''
let stop = async () => {}
let place: ChainPlace

async function ask<Answer = unknown>(method: string, ...params: unknown[]): Promise<Answer> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const { result, error } = await (await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } })).json()
  if (error) throw { code: error.code, message: error.message }
  return result as Answer
}

beforeAll(async () => {
  if (binary === null) return
  const port = await freePort()
  url = `http://127.0.0.1:${port}`
  const flags = ['--host', '127.0.0.1', '--port', String(port), '--chain-id', String(CHAIN_ID), '--hardfork', 'cancun', '--silent']
  const child = startChild(binary, flags, { env: { HOME: temporaryFolder('anvil') } })
  stop = async () => void (await child.stop())
  await eventually(async () => expect(await ask('eth_chainId').catch(() => null)).toBe(numberToHex(CHAIN_ID)))
  const [from] = await ask<Hex[]>('eth_accounts')
  for (const { to, data } of steps) await ask('eth_sendTransaction', { from, to, data, gas: '0x989680' })
  for (const who of [account, operator]) await ask('anvil_setBalance', who.address, '0x8ac7230489e80000')
  const mint = encodeFunctionData({ abi: tokenAbi, functionName: 'mint', args: [account.address, 100_000_000n] })
  await ask('eth_sendTransaction', { from, to: addresses.token, data: mint })
  const { hash } = await ask<{ hash: Hex }>('eth_getBlockByNumber', '0x0', false)
  place = {
    chain_id: CHAIN_ID,
    network: 'Test chain',
    vault: addresses.vault,
    collateral: addresses.token,
    deposit_factory: addresses.depositorFactory,
    min_deposit: '1000000',
    confirmations: 0,
    rpc_url: url,
    explorer_url: null,
    genesis_hash: hash,
  }
})
afterAll(() => stop())

/** Sends a transaction of a key, and waits for its block. */
async function send(who: typeof account, { to, data }: { to: Hex; data: Hex }): Promise<Hex> {
  const nonce = Number(await ask<Hex>('eth_getTransactionCount', who.address, 'latest'))
  const gas = { gas: 1_000_000n, maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n }
  const hash = await ask<Hex>(
    'eth_sendRawTransaction',
    await who.signTransaction({ chainId: CHAIN_ID, type: 'eip1559', nonce, to, data, ...gas }),
  )
  await eventually(async () => expect(await ask('eth_getTransactionReceipt', hash)).not.toBeNull())
  return hash
}

/** A wallet extension on the test chain. `sign` replaces what it signs with. */
function walletOn(sign?: () => Hex) {
  const asked: string[] = []
  const provider: Provider = {
    async request({ method, params = [] }) {
      asked.push(method)
      if (method === 'eth_requestAccounts' || method === 'eth_accounts') return [account.address]
      if (method === 'wallet_addEthereumChain') return null
      if (method === 'eth_signTypedData_v4') return sign?.() ?? account.signTypedData(JSON.parse(String(params[1])))
      if (method === 'eth_sendTransaction') return send(account, params[0] as { to: Hex; data: Hex })
      return ask(method, ...params)
    },
  }
  const chain = {
    chainId: numberToHex(CHAIN_ID),
    chainName: 'Test chain',
    nativeCurrency: { name: 'E', symbol: 'E', decimals: 18 },
    rpcUrls: [url],
  }
  return { asked, open: () => extensionWallet(provider, { chainId: CHAIN_ID, chain, account: getAddress(account.address) }) }
}
const deposits = async () =>
  Number(
    await ask<Hex>(
      'eth_call',
      { to: addresses.vault, data: encodeFunctionData({ abi: vaultAbi, functionName: 'depositCount' }) },
      'latest',
    ),
  )

onAnvil('one signature and one transaction bring USDC into the vault for the wallet’s account', async () => {
  const [wallet, told] = [walletOn(), [] as string[]]
  const { transaction, chain } = await depositFromWallet(await wallet.open(), place, 25_000_000, (step) => told.push(step))
  expect(told).toEqual(['check', 'sign', 'send'])
  expect(wallet.asked.filter((method) => /sendTransaction|signTypedData/.test(method))).toEqual([
    'eth_signTypedData_v4',
    'eth_sendTransaction',
  ])
  expect(await chain.succeeded(transaction)).toBe(true)
  expect(await deposits()).toBe(1)
})

onAnvil('a wallet whose signature is not one key’s approves first', async () => {
  const [wallet, told] = [walletOn(() => `0x${'ab'.repeat(97)}`), [] as string[]]
  await depositFromWallet(await wallet.open(), place, 5_000_000, (step) => told.push(step))
  expect(told).toEqual(['check', 'sign', 'approve', 'send'])
  expect(await deposits()).toBe(2)
})

onAnvil('nothing is signed or sent on another chain with the same number, or for more than the wallet has', async () => {
  const wallet = walletOn()
  const elsewhere = { ...place, genesis_hash: `0x${'00'.repeat(32)}` as Hex }
  const tries = [
    [elsewhere, 1_000_000, /another network that has the number of Test chain/],
    [{ ...place, genesis_hash: null }, 1_000_000, /cannot be checked/],
    [place, 70_000_001, /\$70\.00/],
  ] as const
  for (const [where, amount, why] of tries)
    await expect(depositFromWallet(await wallet.open(), where, amount, () => {})).rejects.toMatchObject({
      name: 'WalletDeclined',
      message: why,
    })
  expect(wallet.asked.filter((method) => /sendTransaction|signTypedData/.test(method))).toEqual([])
  expect(wallet.asked).toContain('wallet_addEthereumChain')
  expect(await deposits()).toBe(2)
})

onAnvil('what the vault refuses costs no gas', async () => {
  const wallet = walletOn()
  await expect(depositFromWallet(await wallet.open(), place, 999_999, () => {})).rejects.toMatchObject({ name: 'WalletDeclined' })
  expect(wallet.asked).not.toContain('eth_sendTransaction')
})

onAnvil('a browser reads the vault, and compares its last root with those that the exchange signed', async () => {
  expect(await readVault(place)).toMatchObject({ balance: 30_000_000, booked: 30_000_000, root: null, frozen: false, paused: false })
  const root = 'cd'.repeat(32)
  const args = { n: 7, seq: 3, at: 1n, deposits: 2, payments: 0, assets: 1, custody: 30_000_000n, root: `0x${root}` as Hex }
  const zero = `0x${'00'.repeat(32)}` as Hex
  const post = encodeFunctionData({ abi: vaultAbi, functionName: 'post', args: [{ ...args, weights: zero, hash: zero }] })
  await send(operator, { to: addresses.vault, data: post })
  const reading = await readVault(place)
  expect(reading.root).toMatchObject({ n: 7, hash: root, custody: 30_000_000 })
  const signed = (custody: string, hash = root) => [{ root: hash, custody }] as SignedRoot[]
  expect(verdictOf(reading, signed('30000000'))).toBe('covered')
  expect(verdictOf(reading, signed('29999999'))).toBe('other_custody')
  expect(verdictOf(reading, signed('30000000', 'ef'.repeat(32)))).toBe('unknown_root')
  expect(verdictOf({ ...reading, balance: 29_999_999 }, signed('30000000'))).toBe('short')
  expect(verdictOf({ ...reading, root: null } satisfies VaultReading, [])).toBe('no_root')
  await expect(readVault({ ...place, chain_id: 1 })).rejects.toThrow('another chain')
})
