import { z } from 'zod'
import { operation } from '../operation.ts'
import { limit, offset, publicQuery } from '../query.ts'
import { checksumAddress, micros } from '../scalars.ts'

/** A member's code as links carry it. */
export const affiliateCode = z.string().regex(/^[a-z0-9]{6,32}$/, 'expected 6 to 32 lower-case letters and digits')

/**
 * Who gets what of a fee. `referrerAddress` is who receives the deployment’s part, `affiliateAddress` whoever referred the member who asks: the zero address
 * where nobody did.
 */
export const affiliateInfo = z.object({
  referrerAddress: checksumAddress,
  affiliateAddress: checksumAddress,
  affiliateSharePercent: z.int().min(0).max(100),
  tradeFeeBps: z.int().min(0),
})

/** What a member's referrals earned, as the exchange paid it. Money in millionths. */
export const affiliateStatement = z.object({
  code: affiliateCode,
  /** Leads to the site and remembers the code for 30 days. */
  link: z.string(),
  affiliateSharePercent: z.int().min(0).max(100),
  /** Members who joined by the link, and accounts of which one traded since. */
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

/** Bringing people. */
export const affiliateOperations = {
  affiliateInfo: operation({
    method: 'GET',
    path: '/api/affiliate-info',
    auth: 'optional',
    summary: 'What trading costs, and who gets a part of it.',
    output: affiliateInfo,
    refusals: [],
    repeatable: true,
  }),
} as const

/** What the page of an affiliate asks. */
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
