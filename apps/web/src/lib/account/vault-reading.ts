import type { Caller } from '@augury/chain/ports'
import { balancesOf } from '@augury/chain/token'
import { batchEnd, depositTotal, vaultState } from '@augury/chain/vault'
import type { ChainPlace } from '@augury/wire/platform/deposits'
import type { SignedRoot } from '@augury/wire/proof'
import type { Hex } from 'viem'

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
  const { number, hash, timestamp } = latest as { number: Hex; hash: Hex; timestamp: Hex }
  const node: Caller = {
    call: async (calls) => (await ask(calls.map((call): Asked => ['eth_call', [call, number]]))) as Hex[],
  }
  const pin = { number: Number(number), hash }
  const place = { chainId: chain_id, address: vault, block: 0 }
  const [[balance], state] = await Promise.all([balancesOf(node, collateral, [vault], pin), vaultState(node, place, pin)])
  const { depositTotal: deposited, paymentTotal: paid, frozen, paused, root } = state
  const reading = { block: pin.number, at: Number(timestamp) * 1000, balance: balance!, booked: deposited - paid, frozen, paused }
  if (!root) return { ...reading, root: null }
  const [total, end] = await Promise.all([depositTotal(node, place, root.deposits, pin), batchEnd(node, place, root.payments, pin)])
  const custody = total - (end?.total ?? 0)
  return { ...reading, root: { n: root.n, hash: root.root.slice(2), postedAt: root.postedAt * 1000, custody } }
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
