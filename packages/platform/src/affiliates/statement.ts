import { tables } from '@augury/domain/platform/tables'
import type { Input, Output } from '@augury/wire/operation'
import type { affiliatePageQueries } from '@augury/wire/platform/affiliates'
import { getAddress } from 'viem'
import type { Member } from '../authorization/viewer.ts'
import { marketTexts } from '../catalogue/market-texts.ts'
import { settingsOf } from '../settings/site-settings.ts'
import type { Site } from '../site/site.ts'

type Operation = typeof affiliatePageQueries.affiliateStatement

interface Totals {
  code: string
  referrals: number
  traders: number
  volume: string
  fees: string
  earned: string
}

/** The member's referral link, and the share that each order of those who joined by it paid, in millionths as credited by the exchange. */
export async function affiliateStatement(
  site: Site,
  member: Member,
  { query }: Pick<Input<Operation>, 'query'>,
): Promise<Output<Operation>> {
  const em = site.em()
  const { affiliateShareBps } = await settingsOf(site, 'affiliate')
  const [totals]: Totals[] = await em.execute(TOTALS, [member.id])
  const rows = await tables(em)
    .selectFrom('affiliate_share')
    .select(['seq', 'at', 'taker', 'condition_id', 'volume', 'fee', 'amount'])
    .where('referrer', '=', member.address)
    .orderBy('seq', 'desc')
    .limit(query.limit)
    .offset(query.offset)
    .execute()
  const texts = await marketTexts(site, [...new Set(rows.map(({ condition_id }) => condition_id))])
  const { code, ...sums } = totals!
  return {
    code,
    link: `${site.settings.origin}/r/${code}`,
    affiliateShareBps,
    ...sums,
    shares: rows.map(({ seq, at, taker, condition_id, volume, fee, amount }) => {
      const { title = '', slug = '', event_slug = '' } = texts.get(condition_id) ?? {}
      return {
        seq: Number(seq),
        at: new Date(at).toISOString(),
        trader: getAddress(taker),
        volume,
        fee,
        amount,
        market: { condition_id, title, slug, event_slug },
      }
    }),
  }
}

const TOTALS = `
  select affiliate_code as code, (select count(*)::int from referral where referrer_id = users.id) as referrals, sums.*
  from users, lateral (
    select count(distinct taker)::int as traders, coalesce(sum(volume), 0)::text as volume, coalesce(sum(fee), 0)::text as fees,
      coalesce(sum(amount), 0)::text as earned
    from affiliate_share where referrer = users.address
  ) sums
  where users.id = ?`
