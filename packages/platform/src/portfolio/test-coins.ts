import { askNode } from '@augury/chain/json-rpc'
import { NodeError } from '@augury/chain/node-error'
import { keySigner } from '@augury/chain/sign'
import { wallClock } from '@augury/chain/wall-clock'
import { abi as tokenAbi } from '@augury/contracts/generated/test-usdc'
import { abi as vaultAbi } from '@augury/contracts/generated/vault'
import { ServiceError } from '@augury/wire/service-error'
import { encodeFunctionData, type Hex, keccak256, numberToHex, stringToHex } from 'viem'

/** The local chain of a sandbox. */
export interface TestChain {
  chainId: number
  rpcUrl: string
  vault: Hex
  collateral: Hex
}

/** A gift of test coins. The same account, name and amount are the same gift. */
export interface Gift {
  account: Hex
  name: string
  /** Millionths. */
  amount: number
}

const GAS = 300_000
/** Wei a unit of gas: more than the blocks of a quiet chain ever ask, so that a gift is signed in one way alone. */
const FEE = 100n * 10n ** 9n
const GAS_MONEY = 10n ** 18n
/** Milliseconds in which a chain without a queue has a transaction in a block. */
const MINED_WITHIN_MS = 5_000
const LOOK_MS = 20
/** Looks for a receipt after the last nonce is used: a node counts a transaction a moment before it shows its receipt. */
const LOOKS_FOR_RECEIPT = 25

/**
 * Mints test coins and deposits them in the vault for an account. Each gift has a key of its own that follows from its account and name, and its
 * three transactions are always the same bytes, so a gift that is repeated, also by another process, is made once. `spend` is called before a
 * gift is made for the first time. Returns the hash of the deposit. Throws `duplicate_ref` if the name stands for another amount, `invalid_amount`
 * if the vault refuses it, and `service_unavailable`.
 */
export async function giveTestCoins(chain: TestChain, { account, name, amount }: Gift, spend: () => Promise<unknown>): Promise<Hex> {
  const ask = asker(chain)
  const signer = keySigner(keccak256(stringToHex(`augury test coins ${account} ${name}`)))
  const sent = async () => Number(await ask('eth_getTransactionCount', signer.address, 'latest'))
  const calls = callsOf(chain, signer.address, account, BigInt(amount))
  const { chainId } = chain
  const raws = await Promise.all(calls.map((call, nonce) => signer.sign({ ...call, chainId, nonce, gas: GAS, maxFee: FEE, tip: 0n })))
  const hash = keccak256(raws.at(-1)!)
  if ((await sent()) === 0) await spend()
  await ask('anvil_setBalance', signer.address, numberToHex(GAS_MONEY))
  // A node that has one of them refuses it; what counts is the receipt.
  for (const raw of raws) await ask('eth_sendRawTransaction', raw)
  let looks = 0
  for (const until = Date.now() + MINED_WITHIN_MS; Date.now() < until; await wallClock.sleep(LOOK_MS)) {
    const isOver = (await sent()) === calls.length
    const receipt = (await ask('eth_getTransactionReceipt', hash)) as { status: Hex } | null
    if (receipt?.status === '0x1') return hash
    if (receipt) throw new ServiceError('invalid_amount', { text: 'the vault refused the deposit' })
    if (isOver && ++looks === LOOKS_FOR_RECEIPT) throw new ServiceError('duplicate_ref')
  }
  throw new ServiceError('service_unavailable', { retryAfter: 1 })
}

/** The calls of a gift: mint, approve, deposit. */
const callsOf = ({ collateral, vault }: TestChain, giver: Hex, account: Hex, amount: bigint) => [
  { to: collateral, data: encodeFunctionData({ abi: tokenAbi, functionName: 'mint', args: [giver, amount] }) },
  { to: collateral, data: encodeFunctionData({ abi: tokenAbi, functionName: 'approve', args: [vault, amount] }) },
  { to: vault, data: encodeFunctionData({ abi: vaultAbi, functionName: 'deposit', args: [account, amount] }) },
]

/** Sends one request and returns its result; null if the node refuses it. Throws `service_unavailable`. */
const asker =
  ({ rpcUrl }: TestChain) =>
  async (method: string, ...params: unknown[]): Promise<unknown> => {
    try {
      return (await askNode({ url: rpcUrl, clock: wallClock, fetch }, [[method, params]]))[0]
    } catch (error) {
      if (error instanceof NodeError && error.kind === 'refused') return null
      throw new ServiceError('service_unavailable', { retryAfter: 1, cause: error })
    }
  }
