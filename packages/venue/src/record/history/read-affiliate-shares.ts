import type { Hex } from '@augury/engine/command'
import { toHex } from '../../base/postgres.ts'
import type { Source } from './read-query.ts'

/** What one taker order paid to the referrer of its account. Millionths. */
export interface AffiliateShareRecord {
  seq: number
  at: number
  condition: Hex
  taker: Hex
  referrer: Hex
  /** Price × shares that it took. */
  volume: number
  fee: number
  amount: number
}

/**
 * Affiliate shares that orders after a position paid, at most `limit`, oldest first: the ledger has what was paid, the trades of the same
 * command what for.
 */
export async function readAffiliateShares({ pool, stream }: Source, after: number, limit: number): Promise<AffiliateShareRecord[]> {
  const { rows } = await pool.query(
    `select paid.seq, paid.at, paid.account, paid.delta, condition_id, taker_account,
       sum(price::bigint * lots) as volume, sum(fee) as fee
     from (
       select seq, at, account, delta from ledger_entry where stream = $1 and reason = 'affiliate' and seq > $2 order by seq limit $3
     ) paid
     join trade on trade.stream = $1 and trade.seq = paid.seq
     group by paid.seq, paid.at, paid.account, paid.delta, condition_id, taker_account
     order by paid.seq`,
    [stream, after, limit],
  )
  return rows.map(({ seq, at, account, delta, condition_id, taker_account, volume, fee }) => ({
    seq,
    at,
    condition: toHex(condition_id),
    taker: toHex(taker_account),
    referrer: toHex(account),
    volume,
    fee,
    amount: delta,
  }))
}
