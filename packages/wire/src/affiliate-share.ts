import { z } from 'zod'
import { checksumAddress, iso, micros, seq } from './scalars.ts'

/** What one taker order paid to whoever referred its account. Money in millionths; `volume` is price × shares, `amount` part of `fee`. */
export const affiliateShare = z.object({
  /** Position of the order in the log: no two shares have the same. */
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
