import { abi } from '@augury/contracts/generated/vault'
import { encodeFunctionData, type Hex } from 'viem'
import { type Confirmation, type Confirmed, viewFor } from './confirmed.ts'
import { enqueue } from './outbox.ts'
import type { Clock, Nodes, OutboxStore } from './ports.ts'
import { batchEnd, depositTotal, refusalOf, type Vault, type VaultState, vaultState } from './vault.ts'

/** A signed root of the exchange, and what its accounts had seen of the chain at its position. Hashes are 64 hex digits, money is in millionths. */
export interface ExchangeRoot {
  n: number
  seq: number
  /** Milliseconds. */
  at: number
  root: string
  assets: number
  custody: number
  /** SHA-256 of the signed text. */
  hash: string
  /** Deposits credited and payments settled up to `seq`. Both are ended in the chain's order, so that counts are the vault's numbers. */
  deposits: number
  payments: number
  /** What each held condition pays if no result is reported: the commitment of `@augury/contracts/weights`. */
  weights: Hex
}

/** Where roots come from. An exchange that owes nothing has an empty root: `root` of zeros, no assets, no custody. */
export interface RootSource {
  /** The newest root; null before the first. */
  latest(): Promise<ExchangeRoot | null>
  /** Cuts a root at the head now. Where nothing happened since the last one, that one again. */
  cut(): Promise<ExchangeRoot | null>
}

export interface RootWorld {
  nodes: Nodes
  clock: Clock
  store: OutboxStore
  vault: Vault
  confirmation: Confirmation
  /** Custody, in millionths, above which two nodes must agree. */
  agreeAbove: number
  operator: Hex
  source: RootSource
  /** Milliseconds after which a root is posted again, whatever happened. Must be well below the vault's seven days. */
  every: number
}

export interface RootReport {
  /** The vault's number of the root that was queued; null if none. */
  queued: number | null
  /** What the vault shows; null while a root waits for its confirmations. */
  state: VaultState | null
  /** Why the newest root is not posted. */
  waiting: RootWait | null
  /** Error of the vault with `refused`; with `custody` the two sums. */
  detail: string | null
}

export type RootWait =
  | 'in_flight' // a root waits for its confirmations
  | 'none_new' // the newest is posted
  | 'second_node'
  | 'behind' // the chain does not have all deposits and payments that the root names
  | 'mid_batch' // the root was cut while a batch was being settled: the next one will do
  | 'custody' // what the exchange owes is not what came in less what was paid: an alarm
  | 'refused' // the vault would refuse it: frozen, halted, or not ours

const GAS = 350_000

/**
 * Posts the newest root, one at a time. With `isWanted` (withdrawals wait for a root that shows them, a demand for one that answers it), or when the
 * last one is old, the exchange cuts a new one; of a quiet exchange the last root is posted again. Throws `NodeError` to be retried.
 */
export async function stepRoots(world: RootWorld, at: Confirmed, isWanted: boolean): Promise<RootReport> {
  const { nodes, clock, store, vault, source, every } = world
  const posts = (await store.intents(Number.MAX_SAFE_INTEGER)).filter(({ purpose }) => purpose.kind === 'post')
  if (posts.length > 0) return { queued: null, state: null, waiting: 'in_flight', detail: null }
  const state = await vaultState(nodes.any, vault, at.pin)
  const isNew = (root: ExchangeRoot | null): root is ExchangeRoot => root !== null && (state.root === null || root.seq > state.root.seq)
  const isOld = state.root === null || clock.now() >= state.root.postedAt * 1000 + every
  let newest = await source.latest()
  if (!isNew(newest) && (isWanted || isOld)) newest = await source.cut()
  if (!newest || !(isNew(newest) || isOld)) return { queued: null, state, waiting: 'none_new', detail: null }
  return { queued: null, detail: null, ...(await postIfFits(world, at, newest)), state }
}

/** Queues a root, if it fits to what the confirmed block shows. */
async function postIfFits(
  world: RootWorld,
  { head, pin }: Confirmed,
  root: ExchangeRoot,
): Promise<Pick<RootReport, 'waiting'> & Partial<RootReport>> {
  const { nodes, store, vault, operator, source } = world
  const view = await viewFor(root.custody, pin, world)
  if (!view) return { waiting: 'second_node' }
  const { deposits, payments, lastPosted } = await vaultState(view.node, vault, view.pin)
  if (root.deposits > deposits || root.payments > payments) return { waiting: 'behind' }
  const end = await batchEnd(view.node, vault, root.payments, view.pin)
  if (!end) {
    await source.cut()
    return { waiting: 'mid_batch' }
  }
  const expected = (await depositTotal(view.node, vault, root.deposits, view.pin)) - end.total
  if (expected !== root.custody) return { waiting: 'custody', detail: `the exchange owes ${root.custody}, the vault expects ${expected}` }
  // A root that is posted again takes the vault's next number, and later ones must be above it.
  const n = Math.max(root.n, lastPosted + 1)
  const data = postData(n, root)
  const refusal = await refusalOf(nodes.any, vault, operator, data, head)
  if (refusal !== null) return { waiting: 'refused', detail: refusal }
  await enqueue(store, { purpose: { kind: 'post', n }, to: vault.address, data, gas: GAS })
  return { waiting: null, queued: n }
}

/** Calldata of `post`, with the number that the root gets in the vault. */
export const postData = (n: number, { seq, at, deposits, payments, assets, custody, root, weights, hash }: ExchangeRoot): Hex =>
  encodeFunctionData({
    abi,
    functionName: 'post',
    args: [{ n, seq, at: BigInt(at), deposits, payments, assets, custody: BigInt(custody), root: `0x${root}`, weights, hash: `0x${hash}` }],
  })
