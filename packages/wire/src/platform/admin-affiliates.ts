import { z } from 'zod'
import { operation } from '../operation.ts'
import { publicQuery } from '../query.ts'
import { checksumAddress } from '../scalars.ts'
import { counted, done, listQuery } from './admin-envelope.ts'

/** In USDC: what referred members traded as takers, the fees they paid, and the referrer's shares of these. */
const figures = { volume: z.number(), fees: z.number(), shares: z.number() }

/** Affiliates and what they earned. */
export const adminAffiliateOperations = {
  adminAffiliates: operation({
    method: 'GET',
    path: '/admin/api/affiliates',
    auth: 'admin',
    summary: 'Members by whose links others joined, with what the exchange paid them for it.',
    query: publicQuery(listQuery),
    output: counted(
      z.object({
        id: z.uuid(),
        address: checksumAddress,
        username: z.string().nullable(),
        affiliate_code: z.string(),
        joined: z.int(),
        ...figures,
      }),
    ).extend({ totals: z.object({ affiliates: z.int(), joined: z.int(), ...figures }) }),
    refusals: ['invalid_sort_by'],
    repeatable: true,
  }),
  adminExportAffiliates: operation({
    method: 'GET',
    path: '/admin/api/affiliates-export',
    auth: 'admin',
    summary: 'All affiliates as CSV that no spreadsheet takes for formulas: who earned most first, amounts in USDC.',
    output: done(z.object({ csv: z.string() })),
    refusals: ['step_up_required'],
    repeatable: true,
  }),
} as const
