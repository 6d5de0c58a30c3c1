import { z } from 'zod'
import { checksumAddress, iso, micros, seq } from './scalars.ts'

/** The share of a taker order's fee that its account's referrer got. Money in millionths; `volume` is price × shares, `amount` is part of `fee`. */
export const affiliateShare = z.object({
  /** Position of the order in the log, unique among shares. */
  seq,
  timestamp_iso: iso,
  market: z.string(),
  taker_address: checksumAddress,
  referrer: checksumAddress,
  volume: micros,
  fee: micros,
  amount: micros,
})

export type AffiliateShare = z.output<typeof affiliateShare>
