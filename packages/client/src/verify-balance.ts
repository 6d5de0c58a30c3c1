import { assetBytes, assetLeaf, bytesHex, hexBytes, holderOf, rootOf, type Sha256, type Sum } from '@augury/signing/state-tree'
import type { AssetProof, BalanceProof, SignedRoot } from '@augury/wire/proof'
import { sha256 as hexSha256 } from 'viem'

/** SHA-256 in plain JavaScript, for every runtime. */
export const plainSha256: Sha256 = (bytes) => hexSha256(bytes, 'bytes')

/** Why the proof of a balance is invalid. */
export type BalanceFault =
  | 'account' // it is of another account
  | 'path' // the leaf does not lead to the total of its asset
  | 'total' // the asset's total is not in the root

/** Result for one asset; without a fault, the root includes the amount. */
export interface BalanceFinding {
  asset: AssetProof
  fault: BalanceFault | null
}

/**
 * Checks the path of each amount of a proof, from the account's own leaf to the root. The leaf is computed from the account's address and salt, so
 * that the exchange cannot show the same leaf to two accounts. Does not check the root's signature: see `checkRoot`.
 */
export function checkBalance(proof: BalanceProof, account: string): BalanceFinding[] {
  const isMine = proof.account.toLowerCase() === account.toLowerCase()
  return proof.assets.map((asset) => ({ asset, fault: isMine ? faultOf(proof, asset) : 'account' }))
}

/**
 * As `checkBalance`, against the public chain of roots, read after the proof, as the root that comes with a proof could have been made for this
 * account alone. Null if the proof's root is not in the chain. Does not check the chain itself: see `checkRoots`.
 */
export function checkBalanceIn(roots: readonly SignedRoot[], proof: BalanceProof, account: string): BalanceFinding[] | null {
  const root = roots.find(({ n }) => n === proof.root.n)
  return root ? checkBalance({ ...proof, root }, account) : null
}

function faultOf({ account, salt, root }: BalanceProof, proof: AssetProof): BalanceFault | null {
  const { market, outcome } = proof
  const asset = assetBytes(market === null || outcome === null ? null : { condition: market as `0x${string}`, outcome })
  const holder = holderOf(plainSha256, hexBytes(`0x${salt}`), hexBytes(account.toLowerCase()), asset)
  const total = rootOf(plainSha256, { hash: holder, sum: Number(proof.amount) }, proof.index, proof.holders, proof.path.map(step))
  if (!total || total.sum !== Number(proof.total)) return 'path'
  if (market === null && (proof.total !== root.usdc || proof.holders !== root.holders)) return 'total'
  const leaf = assetLeaf(plainSha256, asset, proof.holders, total)
  const top = rootOf(plainSha256, leaf, proof.place, root.assets, proof.top.map(step))
  return top && bytesHex(top.hash) === `0x${root.root}` ? null : 'total'
}

const step = ({ hash, sum }: { hash: string; sum: string }): Sum => ({ hash: hexBytes(`0x${hash}`), sum: Number(sum) })
