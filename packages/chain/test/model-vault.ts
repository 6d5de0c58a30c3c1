import { abi } from '@augury/contracts/generated/vault'
import {
  decodeFunctionData,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  encodeFunctionResult,
  type Hex,
  parseAbi,
  toFunctionSelector,
} from 'viem'
import { partyOf } from '../src/vault.ts'
import type { Contracts } from './model-chain.ts'

export const VAULT: Hex = `0x${'cc'.repeat(20)}`
export const OPERATOR: Hex = `0x${'aa'.repeat(20)}`

/** Address of the n-th member, or of the n-th destination. */
export const addressOf = (n: number): Hex => `0x${(n + 1).toString(16).padStart(40, '0')}`

/** A vault as far as the settler can see it. `refusing` are destinations whose transfers fail. */
export interface VaultState {
  deposits: readonly { account: Hex; sender: Hex; amount: number }[]
  payments: readonly { ref: Hex; account: Hex; to: Hex; amount: number }[]
  failed: readonly Hex[]
  roots: readonly { seq: number; payments: number }[]
  refusing: readonly Hex[]
  paused: boolean
  /** Numbers of the last payments of batches. */
  ends: readonly number[]
  /** Block → sum paid in it. */
  spent: readonly { at: number; amount: number }[]
}

export const LIMIT = 5000
/** Blocks that the limit looks back. */
const WINDOW = 20

/** Switches of the model that others than the settler use. */
const modelAbi = parseAbi([
  'function switchDeposit(address account, uint256 amount)',
  'function refuse(address to, bool on)',
  'function switchPause(bool on)',
  'function switchRoot(uint64 seq, uint64 payments)',
])

/** Calldata of a deposit. */
export const depositData = (account: Hex, amount: number): Hex =>
  encodeFunctionData({ abi: modelAbi, functionName: 'switchDeposit', args: [account, BigInt(amount)] })
export const refuseData = (to: Hex, on: boolean): Hex => encodeFunctionData({ abi: modelAbi, functionName: 'refuse', args: [to, on] })
export const pauseData = (on: boolean): Hex => encodeFunctionData({ abi: modelAbi, functionName: 'switchPause', args: [on] })
export const postData = (seq: number, payments: number): Hex =>
  encodeFunctionData({ abi: modelAbi, functionName: 'switchRoot', args: [BigInt(seq), BigInt(payments)] })

/** Functions by selector: looking one up hashes the names of all of them otherwise. */
const all = [...modelAbi, ...abi]
const bySelector = new Map(all.flatMap((one) => (one.type === 'function' ? [[toFunctionSelector(one), one] as const] : [])))

function decoded(data: Hex) {
  const found = bySelector.get(data.slice(0, 10) as Hex)
  if (!found) throw new Error('no such function')
  return decodeFunctionData({ abi: [found] as unknown as typeof all, data })
}

const spentAt = (state: VaultState, at: number) => state.spent.reduce((sum, one) => sum + (one.at > at - WINDOW ? one.amount : 0), 0)
const unsettled = (state: VaultState, account: Hex) =>
  state.payments.slice(state.roots.at(-1)?.payments ?? 0).filter((one) => one.account === account).length

function pay(state: VaultState, payments: readonly { ref: Hex; account: Hex; to: Hex; amount: bigint }[], at: number): VaultState {
  if (state.paused) throw new Error('paused')
  let next = state
  for (const { ref, account, to, amount } of payments) {
    const one = { ref, account: account.toLowerCase() as Hex, to: to.toLowerCase() as Hex, amount: Number(amount) }
    if (next.payments.some((other) => other.ref === ref) || next.failed.includes(ref)) throw new Error('RefUsed')
    if (unsettled(next, one.account) >= 2) throw new Error('unsettled')
    if (next.refusing.includes(one.to)) next = { ...next, failed: [...next.failed, ref] }
    else next = { ...next, payments: [...next.payments, one], spent: [...next.spent, { at, amount: one.amount }] }
    if (spentAt(next, at) > LIMIT) throw new Error('limit')
  }
  return { ...next, ends: [...next.ends, next.payments.length] }
}

export const modelVault: Contracts<VaultState> = {
  begin: { deposits: [], payments: [], failed: [], roots: [], refusing: [], paused: false, ends: [], spent: [] },
  code: (_, address) => (address === VAULT ? '0x01' : '0x'),
  execute(state, from, _to, data, at) {
    const { functionName, args } = decoded(data)
    if (functionName === 'refuse') {
      const to = args[0].toLowerCase() as Hex
      return { state: { ...state, refusing: args[1] ? [...state.refusing, to] : state.refusing.filter((one) => one !== to) }, logs: [] }
    }
    if (functionName === 'switchPause') return { state: { ...state, paused: args[0] }, logs: [] }
    if (functionName === 'switchRoot')
      return { state: { ...state, roots: [...state.roots, { seq: Number(args[0]), payments: Number(args[1]) }] }, logs: [] }
    if (functionName === 'pay') return { state: pay(state, args[0], at), logs: [] }
    if (functionName !== 'switchDeposit') throw new Error(`no ${functionName}`)
    const [account, amount] = [args[0].toLowerCase() as Hex, Number(args[1])]
    const deposits = [...state.deposits, { account, sender: from, amount }]
    const total = deposits.reduce((sum, one) => sum + one.amount, 0)
    const topics = encodeEventTopics({ abi, eventName: 'Deposited', args: { number: BigInt(deposits.length), account, from } }) as Hex[]
    return {
      state: { ...state, deposits },
      logs: [
        { address: VAULT, topics, data: encodeAbiParameters([{ type: 'uint256' }, { type: 'uint256' }], [BigInt(amount), BigInt(total)]) },
      ],
    }
  },
  call(state, { data }, at) {
    const { functionName, args } = decoded(data)
    const totals = (of: readonly { amount: number }[], n: number) => BigInt(of.slice(0, n).reduce((sum, { amount }) => sum + amount, 0))
    const answer = (result: unknown) =>
      encodeFunctionResult({ abi: [bySelector.get(data.slice(0, 10) as Hex)], functionName, result } as never)
    const n = Number(args?.[0] ?? 0)
    const last = state.roots.length
    switch (functionName) {
      case 'depositCount':
        return answer(BigInt(state.deposits.length))
      case 'paymentCount':
        return answer(state.payments.length)
      case 'lastRoot':
      case 'lastPosted':
        return answer(last)
      case 'limit':
        return answer(BigInt(LIMIT))
      case 'spent':
        return answer(BigInt(spentAt(state, at)))
      case 'paused':
        return answer(state.paused)
      case 'halted':
        return answer(false)
      case 'frozenAt':
        return answer(0)
      case 'refState':
        return answer(state.payments.some(({ ref }) => ref === args[0]) ? 1 : state.failed.includes(args[0]) ? 2 : 0)
      case 'unsettled': {
        const numbers = state.payments.flatMap(({ account }, index) => (account === args[0].toLowerCase() ? [index + 1] : []))
        return answer([numbers.at(-2) ?? 0, 0n, false, numbers.at(-1) ?? 0, 0n, false])
      }
      case 'roots': {
        const { seq, payments } = state.roots[n - 1] ?? { seq: 0, payments: 0 }
        return answer([WORD, WORD, seq, 0, 0, 0, payments, 0])
      }
      case 'depositTotal':
        return answer(totals(state.deposits, n))
      case 'batchOf':
        return answer(state.ends.includes(n) ? [1, 0, totals(state.payments, n)] : [0, 0, 0n])
      case 'depositOf': {
        const deposit = state.deposits[n - 1]
        return answer([deposit ? partyOf(deposit) : `0x${'00'.repeat(20)}`, totals(state.deposits, n)])
      }
      case 'pay':
        pay(state, args[0], at)
        return '0x'
      case 'post':
        if (state.paused) throw new Error('halted')
        return '0x'
      default:
        throw new Error(`no ${functionName}`)
    }
  },
}

const WORD = `0x${'00'.repeat(32)}` as const
