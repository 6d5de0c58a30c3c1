import { abi } from '@augury/contracts/generated/vault'
import {
  decodeErrorResult,
  decodeEventLog,
  decodeFunctionResult,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  getAbiItem,
  type Hex,
  keccak256,
} from 'viem'
import { NodeError } from './node-error.ts'
import type { Caller, Deposit, Node, Payment, Pin } from './ports.ts'

/** A vault on a chain. The address is lower-case. */
export interface Vault {
  chainId: number
  address: Hex
  /** Block of its deployment, or any block before. */
  block: number
}

type View = Extract<(typeof abi)[number], { type: 'function'; stateMutability: 'view' }>['name']

/** Reads views of the vault at one block, in one batch. */
export async function readVault(
  node: Caller,
  { address }: Vault,
  asked: readonly (readonly [View, ...unknown[]])[],
  pin: Pin,
): Promise<unknown[]> {
  const calls = asked.map(([functionName, ...args]) => ({ to: address, data: encodeFunctionData({ abi, functionName, args } as never) }))
  const answers = await node.call(calls, pin)
  return answers.map((data, index) => decoded(asked[index]![0], data))
}

function decoded(functionName: View, data: Hex): unknown {
  try {
    return decodeFunctionResult({ abi, functionName, data })
  } catch {
    throw new NodeError('garbage', `the node answered ${functionName} in another form`)
  }
}

/** An amount or a number of the contract. The vault keeps all of them below 2⁵³. Throws `NodeError`. */
export function whole(given: unknown): number {
  const number = Number(given)
  if (!Number.isSafeInteger(number)) throw new NodeError('garbage', 'the vault has too large a number')
  return number
}

/** A number as an argument. */
const index = (given: unknown): bigint => BigInt(whole(given))

/** What the vault shows of itself at a block. Amounts are millionths. */
export interface VaultState {
  deposits: number
  payments: number
  /** Sums of all deposits and of all payments. */
  depositTotal: number
  paymentTotal: number
  /** Payments of the last 24 hours, and their limit. */
  spent: number
  limit: number
  paused: boolean
  /** After a veto, until the timelock resumes. */
  halted: boolean
  frozen: boolean
  /** The last root that stands; null before the first. */
  root: PostedRoot | null
  /** Number of the last root that was posted, whether it stands or not. */
  lastPosted: number
}

/** A root as the vault keeps it. */
export interface PostedRoot {
  n: number
  seq: number
  /** Unix seconds of its block. */
  postedAt: number
  deposits: number
  payments: number
  root: Hex
}

/** Reads the vault at a block. */
export async function vaultState(node: Caller, vault: Vault, pin: Pin): Promise<VaultState> {
  const names = ['depositCount', 'paymentCount', 'spent', 'limit', 'paused', 'halted', 'frozenAt', 'lastRoot', 'lastPosted'] as const
  const [deposits, payments, spent, limit, paused, halted, frozenAt, lastRoot, lastPosted] = await readVault(
    node,
    vault,
    names.map((name) => [name] as const),
    pin,
  )
  const keyed = [
    ['depositTotal', index(deposits)],
    ['batchOf', index(payments)],
    ['roots', index(lastRoot)],
  ] as const
  const [depositTotal, batch, root] = await readVault(node, vault, keyed, pin)
  return {
    deposits: whole(deposits),
    payments: whole(payments),
    depositTotal: whole(depositTotal),
    paymentTotal: whole((batch as readonly unknown[])[2]),
    spent: whole(spent),
    limit: whole(limit),
    paused: paused === true,
    halted: halted === true,
    frozen: whole(frozenAt) !== 0,
    root: whole(lastRoot) === 0 ? null : postedRoot(whole(lastRoot), root as readonly unknown[]),
    lastPosted: whole(lastPosted),
  }
}

function postedRoot(n: number, fields: readonly unknown[]): PostedRoot {
  const [root, , seq, , postedAt, deposits, payments] = fields
  return { n, seq: whole(seq), postedAt: whole(postedAt), deposits: whole(deposits), payments: whole(payments), root: root as Hex }
}

/** Number of the vault's deposits at a block. */
export const depositCount = async (node: Node, vault: Vault, pin: Pin): Promise<number> =>
  whole((await readVault(node, vault, [['depositCount']], pin))[0])

/** The event alone: looking it up by its topic would hash the names of all others, for each log. */
const depositedAbi = [getAbiItem({ abi, name: 'Deposited' })] as const
const [DEPOSITED] = encodeEventTopics({ abi: depositedAbi })

/** Deposits that the logs of a range of blocks show, oldest first. */
export async function depositLogs(node: Node, { address }: Vault, from: number, to: number): Promise<Deposit[]> {
  const logs = await node.logs({ address, topics: [DEPOSITED as Hex], from, to })
  return logs.map(({ topics, data, block, transaction }) => {
    const { number, account, from: sender, amount, total } = depositOf(topics, data)
    return {
      n: whole(number),
      account: account.toLowerCase() as Hex,
      sender: sender.toLowerCase() as Hex,
      amount: whole(amount),
      total: whole(total),
      block,
      transaction,
    }
  })
}

function depositOf(topics: readonly Hex[], data: Hex) {
  try {
    return decodeEventLog({ abi: depositedAbi, topics: topics as [Hex, ...Hex[]], data }).args
  } catch {
    throw new NodeError('garbage', 'the node answered a deposit in another form')
  }
}

/** The parties of a deposit as the vault stores them. */
export const partyOf = ({ account, sender }: Pick<Deposit, 'account' | 'sender'>): Hex =>
  keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'address' }], [account, sender])).slice(0, 42) as Hex

/** Whether the vault's storage has these deposits, with their parties, amounts and totals, at a block. */
export async function depositsHeld(node: Node, vault: Vault, deposits: readonly Deposit[], pin: Pin): Promise<boolean[]> {
  const numbers = [...new Set(deposits.flatMap(({ n }) => [n - 1, n]))].filter((n) => n > 0)
  const answers = await readVault(
    node,
    vault,
    numbers.map((n) => ['depositOf', BigInt(n)] as const),
    pin,
  )
  const stored = new Map(answers.map((answer, index) => [numbers[index]!, answer as readonly [Hex, bigint]]))
  return deposits.map((deposit) => {
    const [party, total] = stored.get(deposit.n)!
    const before = stored.get(deposit.n - 1)?.[1] ?? 0n
    return party.toLowerCase() === partyOf(deposit) && whole(total) === deposit.total && whole(total - before) === deposit.amount
  })
}

/** What the vault did with a reference. A failed one can never be paid. */
export type PaymentState = 'none' | 'paid' | 'failed'
const PAYMENT_STATES: readonly PaymentState[] = ['none', 'paid', 'failed']

/** States of references at a block. */
export async function paymentStates(node: Node, vault: Vault, refs: readonly Hex[], pin: Pin): Promise<PaymentState[]> {
  const answers = await readVault(
    node,
    vault,
    refs.map((ref) => ['refState', ref] as const),
    pin,
  )
  return answers.map((answer) => {
    const state = PAYMENT_STATES[whole(answer)]
    if (!state) throw new NodeError('garbage', `a payment has the state ${answer}`)
    return state
  })
}

/** Payments of each account with a number above `settled`. */
export async function unsettledCounts(node: Node, vault: Vault, accounts: readonly Hex[], settled: number, pin: Pin): Promise<number[]> {
  const answers = await readVault(
    node,
    vault,
    accounts.map((account) => ['unsettled', account] as const),
    pin,
  )
  return answers.map((answer) => {
    const [first, , , second] = answer as readonly unknown[]
    return [first, second].filter((number) => whole(number) > settled).length
  })
}

/** Whether a payment is the last of its batch, so that a root may end there, and the sum of all payments up to it. */
export async function batchEnd(node: Caller, vault: Vault, number: number, pin: Pin): Promise<{ total: number } | null> {
  const [answer] = await readVault(node, vault, [['batchOf', BigInt(number)]], pin)
  const [at, , total] = answer as readonly unknown[]
  return number === 0 ? { total: 0 } : whole(at) === 0 ? null : { total: whole(total) }
}

/** Sum of all deposits up to a number. */
export const depositTotal = async (node: Caller, vault: Vault, number: number, pin: Pin): Promise<number> =>
  whole((await readVault(node, vault, [['depositTotal', BigInt(number)]], pin))[0])

/** Calldata of a batch of payments. */
export const payData = (payments: readonly Payment[]): Hex =>
  encodeFunctionData({
    abi,
    functionName: 'pay',
    args: [payments.map(({ ref, account, to, amount }) => ({ ref, account, to, amount: BigInt(amount) }))],
  })

/**
 * Why the vault would refuse calldata of its operator: the name of its error with its arguments, or what the node said. Null if it would not, as
 * far as the block shows. Saves the gas of a revert.
 */
export async function refusalOf(node: Node, { address }: Vault, operator: Hex, data: Hex, at: Pin): Promise<string | null> {
  try {
    await node.call([{ to: address, data, from: operator }], at)
    return null
  } catch (error) {
    if (!(error instanceof NodeError && error.kind === 'reverted')) throw error
    return error.data === null ? error.message : errorText(error.data)
  }
}

/** The vault's error with its arguments, or the data of a revert that is none. */
export function errorText(data: Hex): string {
  try {
    const { errorName, args } = decodeErrorResult({ abi, data })
    return `${errorName}(${(args ?? []).join(', ')})`
  } catch {
    return data
  }
}
