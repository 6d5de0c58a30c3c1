import type { Output } from '@augury/wire/operation'
import type { adminSystemOperations } from '@augury/wire/platform/admin-system'
import { OPEN_INTEREST } from '../events/event-totals.ts'
import type { Site } from '../site/site.ts'
import { countedUntil } from '../sync/figures.ts'
import { countReported } from './comments.ts'
import { countAttention } from './list-events.ts'
import { countToPay } from './withdrawals.ts'

type Answer = Output<typeof adminSystemOperations.adminDashboard>

const usdc = (micros: string | null): number => Number(micros ?? 0) / 1_000_000

interface Totals {
  volume: string
  volume_24h: string
  open_interest: string
  fees: string
  shares: string
  members: number
  new_members_24h: number
  traders: number
  active_events: number
  active_markets: number
  cursor: string | null
}

interface Day {
  day: string
  volume: string
  fees: string
  shares: string
  trades: number
  open_interest: string | null
  members: number | null
  new_members: number
}

/** Key figures of the site, in total and by day. Volume and fees are those of its own markets, also where it shows others' beside them. */
export async function dashboard(site: Site, { query: { days } }: { query: { days: number } }): Promise<Answer> {
  const em = site.em()
  const now = site.now()
  const today = now.toISOString().slice(0, 10)
  const [totals]: Totals[] = await em.execute(TOTALS, [now, site.exchange.operatorAddress.toLowerCase()])
  const attention = await countAttention(site, em)
  const rows: Day[] = await em.execute(DAYS, [today, days - 1])
  const { volume, volume_24h, open_interest, fees, shares, cursor, ...counts } = totals!
  const until = countedUntil(cursor)
  return {
    success: true,
    data: {
      totals: {
        ...counts,
        attention,
        reported_comments: await countReported(em),
        withdrawals_to_pay: await countToPay(em),
        volume: usdc(volume),
        volume_24h: usdc(volume_24h),
        open_interest: usdc(open_interest),
        fees: usdc(fees),
        affiliate_shares: usdc(shares),
      },
      days: rows.map(({ day, volume, fees, shares, trades, open_interest, members, new_members }) => ({
        day,
        trades,
        members,
        new_members,
        volume: usdc(volume),
        fees: usdc(fees),
        affiliate_shares: usdc(shares),
        open_interest: open_interest === null ? null : usdc(open_interest),
      })),
      counted_until: until === null ? null : new Date(until).toISOString(),
    },
  }
}

/** Each total is read from an index of its own, or from the totals of the days: reading all markets and events took seconds. */
export const TOTALS = `
  select coalesce(sum(volume), 0) as volume, coalesce(sum(volume_24h), 0) as volume_24h,
    (${OPEN_INTEREST}) as open_interest,
    (select coalesce(sum(fees), 0) from site_day) as fees,
    (select coalesce(sum(shares), 0) from site_day) as shares,
    (select count(*)::int from users) as members,
    (select count(*)::int from users where created_at > ?::timestamptz - interval '1 day') as new_members_24h,
    (select count(*)::int from users where total_trades > 0) as traders,
    (select count(*)::int from event where status = 'active') as active_events,
    (select count(*)::int from market where is_active) as active_markets,
    (select cursor from sync_job where name = 'figures') as cursor
  from event where creator = ?`

/** New members are grouped once for all days: a subquery per day would read the whole table for each. */
const DAYS = `
  with span as (
    select day, day::timestamp at time zone 'UTC' as began from (select ?::date - ago as day from generate_series(0, ?::int) ago) days
  ), joined as (
    select (created_at at time zone 'UTC')::date as day, count(*)::int as new_members from users
    where created_at >= (select min(began) from span) group by 1
  )
  select to_char(span.day, 'YYYY-MM-DD') as day, coalesce(volume, 0) as volume, coalesce(fees, 0) as fees, coalesce(trades, 0)::int as trades,
    open_interest, members, coalesce(shares, 0) as shares, coalesce(new_members, 0) as new_members
  from span
  left join site_day on site_day.day = span.day
  left join joined on joined.day = span.day
  order by span.day`
