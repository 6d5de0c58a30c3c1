import { abi } from '@augury/contracts/generated/vault'
import { stepOf } from '@augury/contracts/weights'
import {
  assetBytes,
  bytesHex,
  hexBytes,
  pathOf,
  RECORD_BYTES,
  recordAt,
  type Sha256,
  type Sum,
  stateTree,
} from '@augury/signing/state-tree'
import { encodeFunctionData, type Hex } from 'viem'
import { firstFrom } from './root-proofs.ts'

/** A step of a path as the exchange's API writes it: 64 hex digits, and a sum as decimal text. */
export interface TextStep {
  hash: string
  sum: string
}

/** Proof of one asset, as `getBalanceProof` of the exchange answers it. */
export interface ProvenAsset {
  /** Condition; null for USDC. */
  market: string | null
  outcome: 0 | 1 | null
  amount: string
  index: number
  holders: number
  path: readonly TextStep[]
  place: number
  top: readonly TextStep[]
}

const step = ({ hash, sum }: TextStep) => ({ hash: `0x${hash}` as Hex, sum: BigInt(sum) })
const NO_CONDITION: Hex = `0x${'00'.repeat(32)}`

/** The vault's form of an exchange's proof. `salt` is the account's, 64 hex digits. */
export const exitProof = (salt: string, { market, outcome, amount, index, holders, path, place, top }: ProvenAsset) => ({
  condition: (market ?? NO_CONDITION) as Hex,
  outcome: outcome ?? 0,
  salt: `0x${salt}` as Hex,
  amount: BigInt(amount),
  index: BigInt(index),
  holders: BigInt(holders),
  place: BigInt(place),
  path: path.map(step),
  top: top.map(step),
})

/** Calldata with which the account itself takes an asset out of a frozen vault: `exit` for USDC, `exitPosition` for a settled outcome token. */
export const exitData = (salt: string, asset: ProvenAsset, to: Hex): Hex =>
  encodeFunctionData({ abi, functionName: asset.market === null ? 'exit' : 'exitPosition', args: [exitProof(salt, asset), to] })

/** The USDC tree of a root, and its path in the tree of all assets. */
export interface UsdcTree {
  /** Records sorted by holder, as in the exchange's state tree. */
  leaves: Uint8Array
  place: number
  top: readonly Sum[]
}

/** A demand on the vault. */
export interface Demand {
  account: Hex
  /** Pseudonym that the member named: 32 bytes. */
  holder: Hex
  /** Millionths. */
  amount: number
}

/**
 * Calldata that closes a demand by the last posted root: the leaf has less, or two neighbours show that there is none. Null if the account has as
 * much as it demands: it must be paid.
 */
export function refuteData(sha256: Sha256, { account, holder, amount }: Demand, { leaves, place, top }: UsdcTree): Hex | null {
  const holders = leaves.length / RECORD_BYTES
  const { records } = stateTree(sha256, [{ asset: assetBytes(null), leaves }]).assets[0]!
  const leaf = (index: number) => ({
    holder: bytesHex(recordAt(leaves, index).hash),
    amount: BigInt(recordAt(leaves, index).sum),
    index: BigInt(index),
    path: pathOf(sha256, records, holders, index).map(stepOf),
  })
  const at = firstFrom(leaves, hexBytes(holder))
  const rest = [BigInt(holders), BigInt(place), top.map(stepOf)] as const
  if (at < holders && bytesHex(recordAt(leaves, at).hash) === holder.toLowerCase()) {
    if (recordAt(leaves, at).sum >= amount) return null
    return encodeFunctionData({ abi, functionName: 'refute', args: [account, leaf(at), ...rest] })
  }
  const neighbours = [at - 1, at].filter((index) => index >= 0 && index < holders).map(leaf)
  return encodeFunctionData({ abi, functionName: 'refuteAbsent', args: [account, neighbours, ...rest] })
}
