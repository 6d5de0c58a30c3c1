import { z } from 'zod'
import { micros } from './scalars.ts'

/** An account's balance of USDC or of one token, in millionths. */
export const balanceAllowance = z.object({
  balance: micros,
  /** Held by open orders. */
  reserved: micros,
  available: micros,
  /** On-chain allowances, which established clients ask for. None are needed here, so it is the largest number. */
  allowance: z.string(),
  allowances: z.record(z.string(), z.string()),
  /** There only where orders of the account are refused until it has registered a proxy wallet. */
  proxy_wallet_missing: z.literal(true).optional(),
})

/** One reason why a part of a balance is not available. */
export const hold = z.object({
  order_id: z.string(),
  /** `USDC` or a token id. */
  asset: z.string(),
  amount: micros,
  reason: z.enum(['order', 'withdrawal']),
})

export type BalanceAllowance = z.output<typeof balanceAllowance>
export type Hold = z.output<typeof hold>
