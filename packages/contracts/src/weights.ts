import {
  bytesHex,
  compareBytes,
  hexBytes,
  pathOf,
  putRecord,
  RECORD_BYTES,
  type Sha256,
  type Sum,
  stateTree,
} from '@augury/signing/state-tree'
import { WEIGHTS } from '@augury/signing/void-weights'
import type { Hex } from 'viem'

/** What one Yes of a condition pays, in ten-thousandths of a USDC, if no result is reported. */
export interface Weight {
  condition: Hex
  weight: number
}

/** Arguments of `settleVoid` after the condition. */
export interface WeightProof {
  weight: bigint
  index: bigint
  conditions: bigint
  path: Step[]
}

/** A node beside a path, as the contracts take it. */
export interface Step {
  hash: Hex
  sum: bigint
}

export const stepOf = ({ hash, sum }: Sum): Step => ({ hash: bytesHex(hash), sum: BigInt(sum) })

const NONE: Hex = `0x${'00'.repeat(32)}`

/**
 * Builds the tree of weights that a posted root commits to: a Merkle-sum tree of the same kind as that of an asset, with conditions for
 * holders and weights for amounts. Without conditions the commitment is zero.
 */
export function weightsTree(
  sha256: Sha256,
  weights: readonly Weight[],
): { commitment: Hex; proofOf: (condition: Hex) => WeightProof | null } {
  const sorted = weights
    .map(({ condition, weight }) => ({ bytes: hexBytes(condition), weight }))
    .sort((a, b) => compareBytes(a.bytes, b.bytes))
  if (sorted.length === 0) return { commitment: NONE, proofOf: () => null }
  const leaves = new Uint8Array(sorted.length * RECORD_BYTES)
  for (const [index, { bytes, weight }] of sorted.entries()) putRecord(leaves, index, bytes, weight)
  const { root, assets } = stateTree(sha256, [{ asset: WEIGHTS, leaves }])
  const { records } = assets[0]!
  const proofOf = (condition: Hex): WeightProof | null => {
    const bytes = hexBytes(condition)
    const index = sorted.findIndex((one) => compareBytes(one.bytes, bytes) === 0)
    if (index < 0) return null
    const path = pathOf(sha256, records, sorted.length, index).map(stepOf)
    return { weight: BigInt(sorted[index]!.weight), index: BigInt(index), conditions: BigInt(sorted.length), path }
  }
  return { commitment: bytesHex(root), proofOf }
}
