import type { Hex } from 'viem'

/** Why a node's answer cannot be used. */
export type NodeFault =
  | 'silent' // no answer in time, or no connection
  | 'busy' // 429 or its JSON-RPC equivalent, also after waiting
  | 'garbage' // an answer that breaks the protocol, or is too long
  | 'refused' // an error of the node: an unknown block, a transaction it does not take
  | 'reverted' // the call reverted; `data` is what it reverted with
  | 'disagree' // two nodes answered differently
  | 'wrong_chain' // the node serves another chain ID or another genesis block

/** A node gave no usable answer. Nothing is known about what it did: a transaction may have been accepted. */
export class NodeError extends Error {
  override readonly name = 'NodeError'
  readonly kind: NodeFault
  /** Data of a revert. */
  readonly data: Hex | null

  constructor(kind: NodeFault, message: string, data: Hex | null = null) {
    super(message)
    this.kind = kind
    this.data = data
  }
}

/** Why the settler stops on its own. Each needs an operator, or a chain that goes back to what was credited. */
export type HaltCause =
  | 'deposit_lost' // a credited deposit is not on the chain any more, or differs: a re-organisation deeper than the confirmations
  | 'ledger_differs' // the exchange credited other content under a deposit's ref
  | 'vault_differs' // the vault holds less than its deposits less its payments
  | 'key_shared' // the hot key signed transactions that the outbox does not know

/** Stops a step: no money moves until the cause is gone. The cause is found again from the chain at each step, so nothing has to be reset. */
export class Halt extends Error {
  override readonly name = 'Halt'
  readonly reason: HaltCause

  constructor(reason: HaltCause, message: string) {
    super(message)
    this.reason = reason
  }
}
