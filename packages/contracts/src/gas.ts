import { sha256 } from '@augury/signing/sha256'
import { bytesHex, hexBytes, holderOf, leafOf, levelSizes, type Sum } from '@augury/signing/state-tree'
import {
  type Abi,
  createTestClient,
  encodeFunctionData,
  type Hex,
  http,
  numberToHex,
  pad,
  publicActions,
  TransactionReceiptNotFoundError,
  walletActions,
} from 'viem'
import { anvil } from 'viem/chains'
import * as factory from '../generated/depositor-factory.ts'
import * as usdc from '../generated/test-usdc.ts'
import * as vault from '../generated/vault.ts'
import { type Deployment, deploymentOf } from './deployment.ts'

/** Most gas of a deposit, a payment in a batch of 100 to new holders and to the same again, a root, and an exit: promises. */
export const GAS_CEILINGS = { deposit: 100_000, 'payment, first': 80_000, 'payment, again': 45_000, root: 110_000, exit: 140_000 }
const USDC = 1_000_000n
const ACCOUNTS = 1_000_000
const ASSETS = 1_000
const NONE: Hex = `0x${'00'.repeat(32)}`

function connect(url: string) {
  const transport = http(url, { retryCount: 20, retryDelay: 100 })
  const client = createTestClient({ chain: anvil, mode: 'anvil', transport }).extend(publicActions).extend(walletActions)
  const receiptOf = (hash: Hex) =>
    client.getTransactionReceipt({ hash }).catch((error: unknown) => {
      if (error instanceof TransactionReceiptNotFoundError) return null
      throw error
    })
  /** Sends a transaction from an unlocked account and returns its gas. */
  const send = async (from: Hex, to: Hex, data: Hex): Promise<number> => {
    const hash = await client.sendTransaction({ account: from, to, data, gas: 15_000_000n })
    let receipt = await receiptOf(hash)
    while (receipt === null) receipt = await receiptOf(hash)
    if (receipt.status !== 'success') throw new Error(`${hash} was reverted`)
    return Number(receipt.gasUsed)
  }
  const call = (from: Hex, to: Hex, abi: Abi, functionName: string, args: readonly unknown[]) =>
    send(from, to, encodeFunctionData({ abi, functionName, args }))
  return { client, send, call }
}

/** A path of made-up nodes for a leaf, and the root that it leads to. */
function madePath(leaf: Sum, index: number, count: number): { root: Sum; path: { hash: Hex; sum: bigint }[] } {
  let root = leafOf(sha256, leaf)
  const path: { hash: Hex; sum: bigint }[] = []
  let at = index
  for (const size of levelSizes(count)) {
    if ((at ^ 1) < size) {
      const beside = { hash: sha256(`beside ${path.length} of ${count}`), sum: leaf.sum === 0 ? 0 : 1_000 }
      path.push({ hash: bytesHex(beside.hash), sum: BigInt(beside.sum) })
      root = parent(at % 2 === 0 ? [root, beside] : [beside, root])
    }
    at >>>= 1
  }
  return { root, path }
}

function parent([left, right]: [Sum, Sum]): Sum {
  const text = Buffer.concat([Buffer.from([1]), left.hash, eight(left.sum), right.hash, eight(right.sum)])
  return { hash: sha256(text), sum: left.sum + right.sum }
}

const eight = (amount: number): Uint8Array => hexBytes(numberToHex(amount, { size: 8 }))

/** The proof of one USDC balance among many, and its root. */
function bigProof(account: Hex, amount: number) {
  const salt = sha256('salt')
  const asset = new Uint8Array(33)
  const holder = holderOf(sha256, salt, hexBytes(account), asset)
  const { root: total, path } = madePath({ hash: holder, sum: amount }, 123_456, ACCOUNTS)
  const text = Buffer.concat([Buffer.from([2]), asset, total.hash, eight(total.sum), new Uint8Array(32), eight(ACCOUNTS)])
  const { root, path: top } = madePath({ hash: sha256(text), sum: 0 }, 0, ASSETS)
  const proof = { condition: NONE, outcome: 0, salt: bytesHex(salt), amount, index: 123_456, holders: ACCOUNTS, place: 0, path, top }
  return { root: bytesHex(root.hash), proof }
}

async function deploy({ client, send }: ReturnType<typeof connect>, operator: Hex, guardian: Hex): Promise<Deployment> {
  const deployment = deploymentOf({
    operator,
    guardian,
    proposers: [guardian],
    timelockDelay: 172_800n,
    limit: 100_000n * USDC,
    minDeposit: USDC,
    demandFee: 0n,
  })
  for (const { to, data, address } of deployment.steps) {
    await send(operator, to, data)
    if (!(await client.getCode({ address }))) throw new Error(`nothing is at ${address}`)
  }
  return deployment
}

/** What was measured, by what was done; payments and sweeps are for each of a batch. */
export type Gas = Record<keyof typeof GAS_CEILINGS | 'freeze' | 'sweep, first', number>

/**
 * Deploys everything on a new Anvil and measures the gas of receipts, base and calldata included. The exit proves a leaf among a million accounts
 * and a thousand assets. Throws if a contract is not at the address that was computed for it, or a transaction is reverted.
 */
export async function measureGas(url: string): Promise<Gas> {
  const chain = connect(url)
  const { client, call } = chain
  const [operator, member, guardian] = (await client.getAddresses()) as [Hex, Hex, Hex]
  const { addresses } = await deploy(chain, operator, guardian)
  const toVault = (from: Hex, name: string, args: readonly unknown[]) => call(from, addresses.vault, vault.abi as Abi, name, args)

  await call(member, addresses.token, usdc.abi as Abi, 'mint', [member, 50_000n * USDC])
  await call(member, addresses.token, usdc.abi as Abi, 'approve', [addresses.vault, 10_000n * USDC])
  await toVault(member, 'deposit', [member, 1_000n * USDC])
  const deposit = await toVault(member, 'deposit', [member, 1_000n * USDC])

  const accounts = Array.from({ length: 100 }, (_, at) => pad(numberToHex(0xabc_0000 + at), { size: 20 }))
  const swept = accounts.slice(0, 10)
  for (const account of swept) await call(member, addresses.token, usdc.abi as Abi, 'mint', [await depositAddress(account), 2n * USDC])
  async function depositAddress(account: Hex): Promise<Hex> {
    return client.readContract({ address: addresses.depositorFactory, abi: factory.abi, functionName: 'addressOf', args: [account] })
  }
  const sweep = (await call(operator, addresses.depositorFactory, factory.abi as Abi, 'sweep', [swept])) / 10

  let ref = 0
  const batch = () => [accounts.map((account) => ({ ref: pad(numberToHex(++ref)), account, to: account, amount: 1_000n }))]
  let [n, deposits, payments, custody] = [0, 2, 0, 2_000n * USDC]
  const post = (root: Hex, weights: Hex = sha256Hex('weights')) =>
    toVault(operator, 'post', [
      { n: ++n, seq: n, at: n, deposits, payments, assets: ASSETS, custody, root, weights, hash: sha256Hex(`${n}`) },
    ])
  const first = (await toVault(operator, 'pay', batch())) / 100
  await post(sha256Hex('root'))
  const root = await post(sha256Hex('other root'))
  const again = (await toVault(operator, 'pay', batch())) / 100
  ;[deposits, payments, custody] = [12, 200, 2_020n * USDC - 200n * 1_000n]
  const { root: hash, proof } = bigProof(member, Number(500n * USDC))
  await post(hash)
  await client.increaseTime({ seconds: 8 * 86_400 })
  const freeze = await toVault(guardian, 'freeze', [])
  const exit = await toVault(member, 'exit', [proof, member])

  return { deposit, 'payment, first': first, 'payment, again': again, root, exit, freeze, 'sweep, first': sweep }
}

const sha256Hex = (text: string): Hex => bytesHex(sha256(text))
