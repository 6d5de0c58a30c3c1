import { z } from 'zod'
import { operation } from '../operation.ts'
import { limit, offset, publicQuery } from '../query.ts'
import { checksumAddress, micros } from '../scalars.ts'

/** A member's code in referral links. */
export const affiliateCode = z.string().regex(/^[a-z0-9]{6,32}$/, 'expected 6 to 32 lower-case letters and digits')

/**
 * The split of a fee. `referrerAddress` receives the deployment’s part; `affiliateAddress` referred the calling member, or is the zero address
 * without a referrer.
 */
export const affiliateInfo = z.object({
  referrerAddress: checksumAddress,
  affiliateAddress: checksumAddress,
  affiliateSharePercent: z.int().min(0).max(100),
  tradeFeeBps: z.int().min(0),
})

/** A member's earnings from referrals, as paid by the exchange. Money in millionths. */
export const affiliateStatement = z.object({
  code: affiliateCode,
  /** Link to the site, which keeps the code for 30 days. */
  link: z.string(),
  /** What they get of a fee. */
  affiliateShareBps: z.int().min(0).max(10_000),
  /** Members who joined by the link, and those of them who have traded. */
  referrals: z.int(),
  traders: z.int(),
  volume: micros,
  fees: micros,
  earned: micros,
  /** Newest first. */
  shares: z.array(
    z.object({
      seq: z.int(),
      at: z.iso.datetime(),
      trader: checksumAddress,
      market: z.object({ condition_id: z.string(), title: z.string(), slug: z.string(), event_slug: z.string() }),
      volume: micros,
      fee: micros,
      amount: micros,
    }),
  ),
})

/** Referrals. */
export const affiliateOperations = {
  affiliateInfo: operation({
    method: 'GET',
    path: '/api/affiliate-info',
    auth: 'optional',
    summary: 'Trading fees and their split.',
    output: affiliateInfo,
    refusals: [],
    repeatable: true,
  }),
} as const

/** Queries of the affiliate page. */
export const affiliatePageQueries = {
  affiliateStatement: operation({
    method: 'GET',
    path: '/trpc/affiliateStatement',
    auth: 'member',
    summary: 'The member’s link, and what each order of those who joined by it paid.',
    query: publicQuery({ offset: offset(), limit: limit(100, 50) }),
    output: affiliateStatement,
    refusals: [],
    repeatable: true,
  }),
} as const
