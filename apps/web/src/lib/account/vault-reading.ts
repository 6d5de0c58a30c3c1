import { abi as vaultAbi } from '@augury/contracts/generated/vault'
import type { ChainPlace } from '@augury/wire/platform/deposits'
import type { SignedRoot } from '@augury/wire/proof'
import { decodeFunctionResult, encodeFunctionData, type Hex, padHex } from 'viem'

/** Reads the vault by this browser's own calls to a node. Loaded on demand: it brings the contract's interface. */

/** What the vault shows at one block. Money is in millionths. */
export interface VaultReading {
  /** Number and time (milliseconds) of the block. */
  block: number
  at: number
  /** USDC that the vault's address has. */
  balance: number
  /** All deposits less all payments, as the vault counts them. */
  booked: number
  /** What the last posted root says is owed; null before the first. */
  root: { n: number; hash: string; postedAt: number; custody: number } | null
  frozen: boolean
  paused: boolean
}

/** How what the vault shows stands to what the exchange signed. */
export type VaultVerdict = 'covered' | 'short' | 'no_root' | 'unknown_root' | 'other_custody'

/** Milliseconds that a node has for an answer. */
const PATIENCE_MS = 8_000
const BALANCE_OF = '0x70a08231'

/** Reads the vault. Throws an Error if the node does not answer, or is of another chain. */
export async function readVault({ rpc_url, chain_id, genesis_hash, vault, collateral }: ChainPlace): Promise<VaultReading> {
  if (rpc_url === null) throw new Error('no node is known')
  const ask = asker(rpc_url)
  const [id, first, latest] = await ask([
    ['eth_chainId', []],
    ['eth_getBlockByNumber', ['0x0', false]],
    ['eth_getBlockByNumber', ['latest', false]],
  ])
  const genesis = (first as { hash: string }).hash.toLowerCase()
  if (Number(id) !== chain_id || (genesis_hash !== null && genesis !== genesis_hash)) throw new Error('the node is of another chain')
  const { number, timestamp } = latest as { number: Hex; timestamp: Hex }
  const view = viewer(ask, vault, number)
  const [[held], [deposits, payments, lastRoot, frozenAt, paused]] = await Promise.all([
    ask([['eth_call', [{ to: collateral, data: `${BALANCE_OF}${padHex(vault, { size: 32 }).slice(2)}` }, number]]]),
    view(['depositCount'], ['paymentCount'], ['lastRoot'], ['frozenAt'], ['paused']),
  ])
  const [total, batch, root] = await view(['depositTotal', big(deposits)], ['batchOf', big(payments)], ['roots', big(lastRoot)])
  const paid = (given: unknown) => Number((given as readonly unknown[])[2])
  const reading = {
    block: Number(number),
    at: Number(timestamp) * 1000,
    balance: Number(held),
    booked: Number(total) - paid(batch),
    frozen: Number(frozenAt) !== 0,
    paused: paused === true,
  }
  if (Number(lastRoot) === 0) return { ...reading, root: null }
  const [hash, , , , postedAt, rootDeposits, rootPayments] = root as readonly unknown[]
  const [rootTotal, rootBatch] = await view(['depositTotal', big(rootDeposits)], ['batchOf', big(rootPayments)])
  const custody = Number(rootTotal) - paid(rootBatch)
  return { ...reading, root: { n: Number(lastRoot), hash: String(hash).slice(2), postedAt: Number(postedAt) * 1000, custody } }
}

/** Compares a reading with the roots that the exchange signed. */
export function verdictOf({ balance, booked, root }: VaultReading, signed: readonly SignedRoot[]): VaultVerdict {
  if (balance < booked) return 'short'
  if (root === null) return 'no_root'
  const own = signed.find((each) => each.root === root.hash)
  if (!own) return 'unknown_root'
  return Number(own.custody) === root.custody ? 'covered' : 'other_custody'
}

type Asked = readonly [method: string, params: unknown[]]

/** Calls a node, all at once; throws if one of the calls fails. */
const asker =
  (url: string) =>
  async (asked: Asked[]): Promise<unknown[]> => {
    const body = JSON.stringify(asked.map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params })))
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(PATIENCE_MS) })
    const answers = (await response.json()) as { id: number; result?: unknown }[]
    return asked.map((_, id) => {
      const answer = answers.find((each) => each.id === id)
      if (answer?.result === undefined) throw new Error('the node did not answer')
      return answer.result
    })
  }

type View = Extract<(typeof vaultAbi)[number], { type: 'function'; stateMutability: 'view' }>['name']

/** Reads views of the vault at a block. */
const viewer =
  (ask: ReturnType<typeof asker>, vault: Hex, block: Hex) =>
  async (...names: (readonly [View, ...bigint[]])[]): Promise<unknown[]> => {
    const data = names.map(([functionName, ...args]) => encodeFunctionData({ abi: vaultAbi, functionName, args } as never))
    const answers = await ask(data.map((each): Asked => ['eth_call', [{ to: vault, data: each }, block]]))
    return answers.map((answer, i) => decodeFunctionResult({ abi: vaultAbi, functionName: names[i]![0], data: answer as Hex } as never))
  }

const big = (given: unknown): bigint => BigInt(given as bigint | number)
