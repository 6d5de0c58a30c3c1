import type { Hex } from 'viem'
import type { Node, Pin } from './ports.ts'
import { readVault, type Vault, whole } from './vault.ts'

/** What decides how an account can leave a vault. Times are Unix seconds, amounts are millionths. */
export interface ExitState {
  /** 0 while it is not frozen. */
  frozenAt: number
  token: Hex
  depositCount: number
  limit: number
  minDeposit: number
  /** Wei. */
  demandFee: bigint
  /** Root that stands; zeros before the first and for an empty ledger. */
  root: Hex
  /** Commitment of its weights. */
  weights: Hex
  /** When it was posted; before the first root, when the vault was deployed. */
  postedAt: number
  /** Deposits that it includes. */
  deposits: number
  /** Payments that it includes. */
  payments: number
  /** The account's open demand. */
  demand: { amount: number; at: number } | null
}

/** Reads what decides how an account can leave a vault, at a block. */
export async function exitState(node: Node, vault: Vault, account: Hex, pin: Pin): Promise<ExitState> {
  const names = ['frozenAt', 'lastRoot', 'token', 'depositCount', 'limit', 'minDeposit', 'demandFee'] as const
  const asked = [...names.map((name) => [name] as const), ['demandOf', account] as const]
  const [frozenAt, lastRoot, token, depositCount, limit, minDeposit, demandFee, demand] = await readVault(node, vault, asked, pin)
  const [last] = await readVault(node, vault, [['roots', BigInt(whole(lastRoot))]], pin)
  const [root, weights, , , postedAt, deposits, payments] = last as readonly unknown[]
  const [amount, at] = demand as readonly unknown[]
  return {
    frozenAt: whole(frozenAt),
    token: (token as Hex).toLowerCase() as Hex,
    depositCount: whole(depositCount),
    limit: whole(limit),
    minDeposit: whole(minDeposit),
    demandFee: demandFee as bigint,
    root: root as Hex,
    weights: weights as Hex,
    postedAt: whole(postedAt),
    deposits: whole(deposits),
    payments: whole(payments),
    demand: whole(amount) === 0 ? null : { amount: whole(amount), at: whole(at) },
  }
}
