import type { Input, Output } from '@augury/wire/operation'
import type { adminAffiliateOperations } from '@augury/wire/platform/admin-affiliates'
import { getAddress } from 'viem'
import { runSensitive } from '../authorization/run-as-admin.ts'
import type { Admin } from '../authorization/viewer.ts'
import type { Platform } from '../site/platform.ts'
import type { Site } from '../site/site.ts'
import { csvOf } from './csv.ts'
import { orderBy, pattern } from './list-order.ts'

type Operation = typeof adminAffiliateOperations.adminAffiliates
type Answer = Output<Operation>

const COLUMNS = { username: 'lower(username)', address: 'address', joined: 'joined', volume: 'volume', fees: 'fees', shares: 'shares' }

interface Figures {
  joined: number
  volume: string
  fees: string
  shares: string
}
interface Row extends Figures {
  id: string
  address: `0x${string}`
  username: string | null
  affiliate_code: string
  total: number
}

const SELECT = `
  select users.id, users.address, username, affiliate_code,
    (select count(*)::int from referral where referrer_id = users.id) as joined,
    coalesce(earned.volume, 0) as volume, coalesce(earned.fees, 0) as fees, coalesce(earned.shares, 0) as shares
  from users left join (
    select referrer, sum(volume) as volume, sum(fee) as fees, sum(amount) as shares from affiliate_share group by referrer
  ) earned on earned.referrer = users.address
  where earned.referrer is not null or exists (select from referral where referrer_id = users.id)`

const usdc = ({ joined, volume, fees, shares }: Figures) => ({
  joined,
  volume: Number(volume) / 1_000_000,
  fees: Number(fees) / 1_000_000,
  shares: Number(shares) / 1_000_000,
})

/** Members whose links others joined by, and the totals of all of them. Throws `invalid_sort_by`. */
export async function listAffiliates(platform: Platform, { query }: Pick<Input<Operation>, 'query'>): Promise<Answer> {
  const em = platform.em()
  const like = pattern(query.search.trim().toLowerCase())
  const rows: Row[] = await em.execute(
    `select *, count(*) over ()::int as total from (${SELECT}) found where username ilike ? or address like ? or affiliate_code like ?
     order by ${orderBy(COLUMNS, query, 'shares', 'id')} limit ? offset ?`,
    [like, like, like, query.limit, query.offset],
  )
  const [totals]: (Figures & { affiliates: number })[] = await em.execute(
    `select count(*)::int as affiliates, coalesce(sum(joined), 0)::int as joined, coalesce(sum(volume), 0) as volume,
       coalesce(sum(fees), 0) as fees, coalesce(sum(shares), 0) as shares from (${SELECT}) found`,
  )
  return {
    data: rows.map((row) => ({
      id: row.id,
      username: row.username,
      affiliate_code: row.affiliate_code,
      address: getAddress(row.address),
      ...usdc(row),
    })),
    totalCount: rows[0]?.total ?? 0,
    totals: { affiliates: totals!.affiliates, ...usdc(totals!) },
  }
}

/** All affiliates as CSV, those who earned most first. Throws `step_up_required`. */
export function exportAffiliates(site: Site, admin: Admin): Promise<Output<typeof adminAffiliateOperations.adminExportAffiliates>> {
  return runSensitive(site, admin, async (em) => {
    const rows: Row[] = await em.execute(`select * from (${SELECT}) found order by shares desc, id`)
    const header = ['address', 'username', 'affiliate_code', 'joined', 'volume', 'fees', 'shares']
    const lines = rows.map((row) => {
      const { joined, volume, fees, shares } = usdc(row)
      return [getAddress(row.address), row.username ?? '', row.affiliate_code, joined, volume, fees, shares]
    })
    return {
      answer: { success: true, data: { csv: csvOf([header, ...lines]) } },
      record: { action: 'affiliates_exported', target: 'affiliates', after: { rows: rows.length } },
    }
  })
}
