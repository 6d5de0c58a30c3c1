import { abi as factoryAbi } from '@augury/contracts/generated/depositor-factory'
import { abi } from '@augury/contracts/generated/vault'
import { type Weight, weightsTree } from '@augury/contracts/weights'
import { assetBytes, bytesHex, hexBytes, holderOf, type Sha256 } from '@augury/signing/state-tree'
import { encodeFunctionData, type Hex } from 'viem'
import { type ExitState, exitState } from './exit-state.ts'
import { NodeError } from './node-error.ts'
import type { Block, Node } from './ports.ts'
import { exitData, type ProvenAsset } from './proofs.ts'
import { depositAddresses } from './sweep.ts'
import { balancesOf } from './token.ts'
import { errorText, partyOf, readVault, type Vault, whole } from './vault.ts'

/** What an account had at a root, with its paths, and the weights of that root; `weights` null if none were kept. */
export interface AccountAtRoot {
  assets: readonly ProvenAsset[]
  weights: readonly Weight[] | null
}

/** An account that takes its money out of a vault without the exchange. Addresses are lower-case. */
export interface Leaving {
  node: Node
  sha256: Sha256
  vault: Vault
  /** Factory of deposit addresses. */
  factory: Hex
  account: Hex
  /** The account's secret: 64 hex digits. */
  salt: string
  /** Who gets the money. */
  to: Hex
  /** Who deposited for the account, besides itself and its deposit address. */
  senders: readonly Hex[]
  /** Finds what the account had at a root; null if the leaves were not kept. */
  find(known: { root: Hex; weights: Hex }): Promise<AccountAtRoot | null>
}

/** A transaction of the account that works now. Amounts are millionths. */
export type LeaveSend = { to: Hex; data: Hex; value: bigint } & (
  | { kind: 'freeze' | 'freeze_for' }
  | { kind: 'demand'; amount: number }
  /** `amount` is what it pays now. It is less than what is due where the vault is short. */
  | { kind: 'exit'; market: Hex | null; outcome: 0 | 1 | null; amount: number }
  | { kind: 'settle'; market: Hex }
  | { kind: 'settle_void'; market: Hex; weight: number }
  /** `by`: who deposited, and gets it back. */
  | { kind: 'refund'; number: number; amount: number; by: Hex }
  /** Money at the account's own deposit address. */
  | { kind: 'rescue'; amount: number }
)

/** Why something cannot be done yet, or at all. `until` is in Unix seconds. */
export type LeaveWait =
  | { kind: 'alive'; until: number } // the vault works; anybody may freeze it when it gets no root until then
  | { kind: 'demand'; until: number; amount: number } // paid by then, or anybody may freeze
  | { kind: 'result'; market: Hex; until: number } // of a condition; then the root's weights count
  | { kind: 'no_leaves'; root: Hex } // the leaves of the last root were not kept
  | { kind: 'no_weights'; market: Hex } // the weights of the last root were not kept
  | { kind: 'short'; what: string; amount: number } // more is due than the vault has
  | { kind: 'refused'; what: string; error: string }

export interface LeavePlan {
  frozenAt: number
  sends: LeaveSend[]
  waits: LeaveWait[]
}

/** Ten-thousandths of one, and millionths that a lot pays for each of them. */
const ONE = 10_000
const DAY = 86_400
/** The vault's constants: silence before a freeze, time to answer a demand, and time for results. */
const [PERIOD, DEMAND_PERIOD, GRACE] = [7 * DAY, 3 * DAY, 30 * DAY]
/** Numbers of deposits read at once. */
const DEPOSITS_AT_ONCE = 500

/**
 * Finds what an account can do now to get its money out of the vault, and what it has to wait for. Each transaction was tried at the newest block.
 * Call it again once they are mined. `demand` is an amount in millionths to demand while the vault is not frozen.
 */
export async function planLeaving(leaving: Leaving, demand: number | null): Promise<LeavePlan> {
  const head = await leaving.node.block('latest')
  if (!head) throw new NodeError('garbage', 'the node has no block')
  const state = await exitState(leaving.node, leaving.vault, leaving.account, head)
  const plan: LeavePlan = { frozenAt: state.frozenAt, sends: [], waits: [] }
  if (state.frozenAt === 0) await beforeFreeze(leaving, head, state, demand, plan)
  else await afterFreeze(leaving, head, state, plan)
  return plan
}

const vaultCall = (name: string, ...args: readonly unknown[]): Hex => encodeFunctionData({ abi, functionName: name, args } as never)

/** Result of a call by the account, or the error of the contract. */
async function attempt(
  { node, account }: Leaving,
  head: Block,
  to: Hex,
  data: Hex,
  value = 0n,
): Promise<{ paid: number } | { error: string }> {
  try {
    const sent = value === 0n ? {} : { value: `0x${value.toString(16)}` as Hex }
    const [answer] = await node.call([{ to, data, from: account, ...sent }], head)
    return { paid: answer === '0x' ? 0 : whole(BigInt(answer!)) }
  } catch (error) {
    if (!(error instanceof NodeError && error.kind === 'reverted')) throw error
    return { error: error.data === null ? error.message : errorText(error.data) }
  }
}

async function beforeFreeze(leaving: Leaving, head: Block, state: ExitState, demand: number | null, plan: LeavePlan): Promise<void> {
  const { vault, account, salt, sha256 } = leaving
  const to = vault.address
  // For an own demand first: it returns the fee.
  for (const [kind, data] of [['freeze_for', vaultCall('freezeFor', account)] as const, ['freeze', vaultCall('freeze')] as const]) {
    if ('error' in (await attempt(leaving, head, to, data))) continue
    plan.sends.push({ kind, to, data, value: 0n })
    return
  }
  if (state.demand) plan.waits.push({ kind: 'demand', until: state.demand.at + DEMAND_PERIOD, amount: state.demand.amount })
  else if (demand !== null) {
    const holder = bytesHex(holderOf(sha256, hexBytes(`0x${salt}`), hexBytes(account), assetBytes(null)))
    const data = vaultCall('demand', BigInt(demand), holder)
    const tried = await attempt(leaving, head, to, data, state.demandFee)
    if ('error' in tried) plan.waits.push({ kind: 'refused', what: 'demand', error: tried.error })
    else plan.sends.push({ kind: 'demand', to, data, value: state.demandFee, amount: demand })
  }
  plan.waits.push({ kind: 'alive', until: state.postedAt + PERIOD })
}

async function afterFreeze(leaving: Leaving, head: Block, state: ExitState, plan: LeavePlan): Promise<void> {
  if (/[^0x]/.test(state.root)) {
    const found = await leaving.find(state)
    if (!found) plan.waits.push({ kind: 'no_leaves', root: state.root })
    else {
      const weights = found.weights && weightsTree(leaving.sha256, found.weights)
      for (const asset of found.assets) await takeAsset(leaving, head, state, asset, weights, plan)
    }
  }
  const [depositAddress] = await depositAddresses(leaving.node, leaving.factory, [leaving.account], head)
  await refunds(leaving, head, state, depositAddress!, plan)
  await rescue(leaving, head, state, depositAddress!, plan)
}

/** Takes USDC, or what a token pays once its condition has a weight. */
async function takeAsset(
  leaving: Leaving,
  head: Block,
  state: ExitState,
  asset: ProvenAsset,
  weights: ReturnType<typeof weightsTree> | null,
  plan: LeavePlan,
): Promise<void> {
  const { market, outcome } = asset
  const to = leaving.vault.address
  const data = exitData(leaving.salt, asset, leaving.to)
  const tried = await attempt(leaving, head, to, data)
  if ('paid' in tried) plan.sends.push({ kind: 'exit', to, data, value: 0n, market: market as Hex | null, outcome, amount: tried.paid })
  else if (tried.error.startsWith('NotSettled') && market !== null) await settle(leaving, head, state, market as Hex, weights, plan)
  else if (!tried.error.startsWith('NothingDue')) plan.waits.push({ kind: 'refused', what: market ?? 'USDC', error: tried.error })
  else {
    const amount = await stillDue(leaving, head, state, asset)
    if (amount > 0) plan.waits.push({ kind: 'short', what: market ?? 'USDC', amount })
  }
}

/** What the vault owes of an asset and has not paid, whether it has the money or not. */
async function stillDue(
  { node, vault, account, salt, sha256 }: Leaving,
  head: Block,
  state: ExitState,
  asset: ProvenAsset,
): Promise<number> {
  const market = asset.market as Hex | null
  const bytes = assetBytes(market === null ? null : { condition: market, outcome: asset.outcome! })
  const holder = bytesHex(holderOf(sha256, hexBytes(`0x${salt}`), hexBytes(account), bytes))
  const weighed = market === null ? (['unsettled', account] as const) : (['weightOf', market] as const)
  const [claimed, found] = await readVault(node, vault, [['claimed', holder], weighed], head)
  return dueOf(asset, state.payments, found) - whole(claimed)
}

/** What is due of an asset: USDC less the payments that the last root does not include, or tokens at their weight. */
function dueOf({ market, outcome, amount }: ProvenAsset, settled: number, found: unknown): number {
  if (market !== null) return Number(amount) * (outcome === 0 ? whole(found) - 1 : ONE - (whole(found) - 1))
  const [n1, paid1, , n2, paid2] = (found as readonly unknown[]).map(Number) as [number, number, number, number, number]
  return Math.max(0, Number(amount) - (n1 > settled ? paid1 : 0) - (n2 > settled ? paid2 : 0))
}

/** Fixes the weight of a condition: by the resolver, or by the last root once the time for results is over. */
async function settle(
  leaving: Leaving,
  head: Block,
  state: ExitState,
  market: Hex,
  weights: ReturnType<typeof weightsTree> | null,
  plan: LeavePlan,
): Promise<void> {
  if (plan.sends.some((send) => (send.kind === 'settle' || send.kind === 'settle_void') && send.market === market)) return
  const to = leaving.vault.address
  const until = state.frozenAt + GRACE
  if (head.at < until) {
    const data = vaultCall('settle', market)
    if ('paid' in (await attempt(leaving, head, to, data))) plan.sends.push({ kind: 'settle', to, data, value: 0n, market })
    else if (!plan.waits.some((wait) => wait.kind === 'result' && wait.market === market))
      plan.waits.push({ kind: 'result', market, until })
    return
  }
  const proof = weights?.proofOf(market)
  if (!proof) return void plan.waits.push({ kind: 'no_weights', market })
  const data = vaultCall('settleVoid', market, proof.weight, proof.index, proof.conditions, proof.path)
  const tried = await attempt(leaving, head, to, data)
  if ('paid' in tried) plan.sends.push({ kind: 'settle_void', to, data, value: 0n, market, weight: Number(proof.weight) })
  else plan.waits.push({ kind: 'refused', what: `the weight of ${market}`, error: tried.error })
}

/** Deposits for the account that the last root does not include. They go back to their senders. */
async function refunds(leaving: Leaving, head: Block, state: ExitState, depositAddress: Hex, plan: LeavePlan): Promise<void> {
  const { node, vault, account, senders } = leaving
  const parties = new Map([account, depositAddress, ...senders].map((by) => [partyOf({ account, sender: by }), by]))
  for (let from = state.deposits + 1; from <= state.depositCount; from += DEPOSITS_AT_ONCE) {
    const numbers = Array.from({ length: Math.min(DEPOSITS_AT_ONCE, state.depositCount - from + 1) }, (_, index) => from + index)
    const asked = numbers.map((number) => ['depositOf', BigInt(number)] as const)
    const stored = (await readVault(node, vault, asked, head)) as readonly (readonly [Hex, bigint])[]
    for (const [index, [party]] of stored.entries()) {
      const [number, by] = [numbers[index]!, parties.get(party.toLowerCase() as Hex)]
      if (by === undefined) continue
      const data = vaultCall('refund', BigInt(number), account, by)
      const tried = await attempt(leaving, head, vault.address, data)
      if ('paid' in tried) plan.sends.push({ kind: 'refund', to: vault.address, data, value: 0n, number, amount: tried.paid, by })
    }
  }
}

/** A frozen vault takes no deposits: what lies at the account's deposit address is taken from there. */
async function rescue(leaving: Leaving, head: Block, { token }: ExitState, depositAddress: Hex, plan: LeavePlan): Promise<void> {
  const { node, factory, to } = leaving
  const [lying] = await balancesOf(node, token, [depositAddress], head)
  // What a refund of this round sends there is taken in the next one.
  if (lying === 0) return
  const data = encodeFunctionData({ abi: factoryAbi, functionName: 'rescue', args: [token, to] })
  const tried = await attempt(leaving, head, factory, data)
  if ('paid' in tried) plan.sends.push({ kind: 'rescue', to: factory, data, value: 0n, amount: lying! })
  else plan.waits.push({ kind: 'refused', what: 'your deposit address', error: tried.error })
}
