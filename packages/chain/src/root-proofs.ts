import {
  assetBytes,
  bytesHex,
  compareBytes,
  hexBytes,
  holderOf,
  pathOf,
  RECORD_BYTES,
  recordAt,
  type Sha256,
  type StateTree,
  type Sum,
  stateTree,
} from '@augury/signing/state-tree'
import type { Hex } from 'viem'
import type { ProvenAsset, TextStep } from './proofs.ts'

/** All leaves of a root: records of each asset, sorted by holder. `market` null is USDC. */
export interface AssetLeaves {
  market: Hex | null
  outcome: 0 | 1 | null
  leaves: Uint8Array
}

/** Builds the tree over all leaves of a root, which has at least one. Assets may come in any order. */
export function treeOfLeaves(sha256: Sha256, assets: readonly AssetLeaves[]): StateTree {
  const state = assets.map(({ market, outcome, leaves }) => ({ asset: bytesOf(market, outcome), leaves }))
  return stateTree(
    sha256,
    state.sort((a, b) => compareBytes(a.asset, b.asset)),
  )
}

/** Everything that an account has in a tree, with its paths. `salt` is the account's, 64 hex digits. */
export function proofsIn(sha256: Sha256, tree: StateTree, account: Hex, salt: string): ProvenAsset[] {
  const [secret, address] = [hexBytes(`0x${salt}`), hexBytes(account.toLowerCase())]
  const step = ({ hash, sum }: Sum): TextStep => ({ hash: bytesHex(hash).slice(2), sum: String(sum) })
  return tree.assets.flatMap(({ asset, holders, records }, place) => {
    const holder = holderOf(sha256, secret, address, asset)
    const index = firstFrom(records.subarray(0, holders * RECORD_BYTES), holder)
    if (index === holders || compareBytes(recordAt(records, index).hash, holder) !== 0) return []
    const path = pathOf(sha256, records, holders, index).map(step)
    const top = pathOf(sha256, tree.records, tree.assets.length, place).map(step)
    return [{ ...named(asset), amount: String(recordAt(records, index).sum), index, holders, path, place, top }]
  })
}

const bytesOf = (market: Hex | null, outcome: 0 | 1 | null): Uint8Array =>
  assetBytes(market === null || outcome === null ? null : { condition: market, outcome })

const named = (asset: Uint8Array): Pick<ProvenAsset, 'market' | 'outcome'> =>
  asset.every((byte) => byte === 0)
    ? { market: null, outcome: null }
    : { market: bytesHex(asset.subarray(0, 32)), outcome: asset[32] as 0 | 1 }

/** Index of the first record whose holder is not below a given one. */
export function firstFrom(leaves: Uint8Array, holder: Uint8Array): number {
  let [low, high] = [0, leaves.length / RECORD_BYTES]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareBytes(recordAt(leaves, middle).hash, holder) < 0) low = middle + 1
    else high = middle
  }
  return low
}
