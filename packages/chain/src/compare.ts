import type { Hex } from 'viem'
import { Halt } from './node-error.ts'
import type { Node, Pin } from './ports.ts'
import { balancesOf } from './token.ts'
import { type Vault, vaultState } from './vault.ts'

/** What a vault holds and what it must hold, in millionths. */
export interface Comparison {
  balance: number
  /** All deposits less all payments. */
  owed: number
}

/**
 * Compares the vault's money with its own sums at a confirmed block. More than owed was sent to the vault's address as a gift; less throws
 * `Halt`. A frozen vault pays exits, which are in neither sum, and is not compared: null.
 */
export async function compareVault(node: Node, vault: Vault, token: Hex, pin: Pin): Promise<Comparison | null> {
  const { depositTotal, paymentTotal, frozen } = await vaultState(node, vault, pin)
  if (frozen) return null
  const [balance] = await balancesOf(node, token, [vault.address], pin)
  const comparison = { balance: balance!, owed: depositTotal - paymentTotal }
  if (comparison.balance < comparison.owed)
    throw new Halt('vault_differs', `the vault holds ${comparison.balance}, and its deposits less its payments are ${comparison.owed}`)
  return comparison
}
