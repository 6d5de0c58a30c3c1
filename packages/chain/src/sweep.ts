import { abi as factoryAbi } from '@augury/contracts/generated/depositor-factory'
import { encodeFunctionData, type Hex } from 'viem'
import type { Confirmed } from './confirmed.ts'
import { enqueue } from './outbox.ts'
import type { Node, Nodes, OutboxStore, Pin } from './ports.ts'
import { balancesOf } from './token.ts'

export interface SweepWorld {
  nodes: Nodes
  store: OutboxStore
  /** The collateral, and the factory of deposit addresses. */
  token: Hex
  factory: Hex
  /** Millionths below which a deposit address is left alone. */
  minDeposit: number
}

/** Money at a deposit address that is not in the vault yet. */
export interface Arrival {
  account: Hex
  /** The deposit address, lower-case. */
  address: Hex
  /** Millionths. */
  amount: number
}

/** Most accounts of one sweep: 150 000 gas each the first time. */
const SWEEP_BATCH = 50
const GAS_BASE = 150_000
const GAS_ACCOUNT = 260_000

/** Deposit addresses of accounts, lower-case. They never change. */
export async function depositAddresses(node: Node, factory: Hex, accounts: readonly Hex[], pin: Pin): Promise<Hex[]> {
  const data = (account: Hex) => encodeFunctionData({ abi: factoryAbi, functionName: 'addressOf', args: [account] })
  const answers = await node.call(
    accounts.map((account) => ({ to: factory, data: data(account) })),
    pin,
  )
  return answers.map((answer) => `0x${answer.slice(-40)}` as Hex)
}

/**
 * Sweeps into the vault what lies at the deposit addresses of accounts, in one batch. It counts as a deposit only when the vault's log does. Returns
 * everything that lies there, also what is too little. Throws `NodeError` to be retried.
 */
export async function stepSweep(
  { nodes, store, token, factory, minDeposit }: SweepWorld,
  { head }: Confirmed,
  accounts: readonly Hex[],
): Promise<Arrival[]> {
  const node = nodes.any
  const addresses = await depositAddresses(node, factory, accounts, head)
  const balances = await balancesOf(node, token, addresses, head)
  const arrivals = accounts
    .map((account, index) => ({ account, address: addresses[index]!, amount: balances[index]! }))
    .filter(({ amount }) => amount > 0)
  const intents = await store.intents(Number.MAX_SAFE_INTEGER)
  const waiting = new Set(intents.flatMap(({ purpose, mined }) => (purpose.kind === 'sweep' && !mined ? purpose.accounts : [])))
  const due = arrivals.filter(({ account, amount }) => amount >= minDeposit && !waiting.has(account)).slice(0, SWEEP_BATCH)
  if (due.length > 0) {
    const swept = due.map(({ account }) => account)
    const data = encodeFunctionData({ abi: factoryAbi, functionName: 'sweep', args: [swept] })
    await enqueue(store, { purpose: { kind: 'sweep', accounts: swept }, to: factory, data, gas: GAS_BASE + GAS_ACCOUNT * due.length })
  }
  return arrivals
}
