import type { Clock, DepositStore, Nodes, OutboxStore, Signer } from '@augury/chain/ports'
import type { AssetLeaves } from '@augury/chain/root-proofs'
import type { RootSource } from '@augury/chain/roots'
import type { Vault } from '@augury/chain/vault'
import type { Platform } from '@augury/platform/site/platform'
import type { Hex } from 'viem'
import type { Accounts } from './exchange.ts'
import type { Fenced } from './lease.ts'
import type { LostCredits } from './lost.ts'

/** Everything that a round works with. */
export interface World {
  nodes: Nodes
  clock: Clock
  signer: Signer
  outbox: OutboxStore
  deposits: DepositStore
  accounts: Accounts
  /** Credits that must be backed again; null on a real chain. */
  lost: LostCredits | null
  source: RootSource
  /** Tells the exchange which transaction posted a root. */
  noteRoot(hash: string, transaction: Hex): Promise<void>
  /** All leaves of one of the exchange's newest roots. */
  leavesOf(n: number): Promise<AssetLeaves[]>
  platform: Platform
  fenced: Fenced
  vault: Vault
  /** The collateral and the factory of deposit addresses, lower-case. */
  token: Hex
  factory: Hex
  confirmation: { confirmations: number; finalized: boolean }
  /** Millionths above which two nodes must agree. */
  agreeAbove: number
  /** Millionths below which deposit addresses are left alone. */
  minDeposit: number
  /** Millionths from which fees are paid out to their recipient; 0 for never. */
  feePayoutMin: number
  /** Account of the exchange that the settler credits where it needs one of its own. */
  suspense: Hex
  /** Whether this is the local chain of a sandbox: credits and settlements by hand are backed, and blocks come by themselves. */
  isSandbox: boolean
}
