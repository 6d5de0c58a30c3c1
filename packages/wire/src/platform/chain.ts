import { z } from 'zod'
import { iso } from '../scalars.ts'

/** Millionths of a USDC. */
const millionths = z.int()
const hex = z.string().regex(/^0x[0-9a-f]*$/)

/** Why a settler does not go on with something, for operators: a code, and words. */
const trouble = z.object({ step: z.string(), reason: z.string(), message: z.string() })

/**
 * How the chain stands, as the settler saw it in its last round: money in millionths, wei as text. `confirmed` is the newest confirmed block;
 * null fields are not known yet.
 */
export const chainStatus = z.object({
  chain_id: z.int(),
  vault: hex,
  collateral: hex,
  confirmations: z.int(),
  head: z.int().nullable(),
  confirmed: z.int().nullable(),
  /** Seconds by which the head is older than the settler's clock. */
  lag_seconds: z.int().nullable(),
  /** What the vault holds, and all of its deposits and payments. */
  balance: millionths.nullable(),
  deposits: millionths.nullable(),
  payments: millionths.nullable(),
  deposit_count: z.int().nullable(),
  credited_count: z.int(),
  /** What the vault may pay within 24 hours, and what it has paid of it. */
  limit: millionths.nullable(),
  spent: millionths.nullable(),
  paused: z.boolean(),
  /** After a veto of the guardian, until the timelock resumes. */
  vetoed: z.boolean(),
  frozen: z.boolean(),
  operator: z.object({ address: hex, wei: z.string().nullable() }),
  /** The last root that stands in the vault. */
  root: z.object({ n: z.int(), seq: z.int(), hash: z.string(), custody: millionths, transaction: hex, posted_at: iso }).nullable(),
  /** Why the newest root of the exchange is not posted; null if it is. */
  root_waits: z.string().nullable(),
  outbox_open: z.int(),
  withdrawals_waiting: z.int(),
  /** Since when the oldest withdrawal waits. */
  oldest_unpaid_at: iso.nullable(),
  /** Set when payments are stopped until an operator has looked. */
  halted: trouble.nullable(),
  /** What failed in the last round and is tried again. */
  troubles: z.array(trouble),
})
/** Chain and settler, as the settler saw them in its last round. */
export type ChainStatus = z.infer<typeof chainStatus>
