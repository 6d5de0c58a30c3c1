import { z } from 'zod'
import { micros } from './scalars.ts'

/** What an account has of USDC or of one token, in millionths. */
export const balanceAllowance = z.object({
  balance: micros,
  /** In open orders. */
  reserved: micros,
  available: micros,
  /** On-chain notions that established clients ask for: there is nothing to allow here, so it is the largest number. */
  allowance: z.string(),
  allowances: z.record(z.string(), z.string()),
})

/** One reason why something is not available. */
export const hold = z.object({
  order_id: z.string(),
  /** `USDC` or a token id. */
  asset: z.string(),
  amount: micros,
  reason: z.enum(['order', 'withdrawal']),
})

export type BalanceAllowance = z.output<typeof balanceAllowance>
export type Hold = z.output<typeof hold>
