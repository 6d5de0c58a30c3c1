import { migratePlatform } from '@augury/domain/platform/database'
import { type FakeClock, fakeClock } from '@augury/testing/clock'
import { migratedDatabase } from '@augury/testing/database'
import { afterAll } from 'vitest'
import { readDiscovery } from '../src/catalogue/discovery.ts'
import { toListings } from '../src/catalogue/listing.ts'
import { storeListing } from '../src/catalogue/store-listing.ts'
import { openPlatform, type Platform } from '../src/site/platform.ts'

/** Address of the platform's wallet in tests. */
export const CREATOR = '0x00000000000000000000000000000000000000c1'

/** A new platform database with a fake clock at 2026-11-20; closed after the tests of the file, or after the given one. */
export async function testPlatform(
  whenDone: (close: () => Promise<void>) => void = afterAll,
): Promise<{ platform: Platform; clock: FakeClock; databaseUrl: string }> {
  const clock = fakeClock(Date.UTC(2026, 10, 20, 12))
  const databaseUrl = await migratedDatabase('platform', migratePlatform)
  const platform = await openPlatform(databaseUrl, () => new Date(clock.now()))
  whenDone(() => platform.close())
  return { platform, clock, databaseUrl }
}

/** Options of a market in tests; the rest has defaults. */
export interface TestMarket {
  slug: string
  price?: number
  end?: string | null
  volume?: number
}

/** A row of a discovery file. */
export const discoveryEvent = (slug: string, title: string, tags: string[], markets: TestMarket[], more: Record<string, unknown> = {}) => ({
  slug,
  title,
  endDate: '2027-06-30T00:00:00Z',
  negRisk: false,
  volume: 0,
  tags: tags.map((tag) => ({ slug: tag, label: tag[0]!.toUpperCase() + tag.slice(1) })),
  markets: markets.map(({ slug, price = 0.5, end = '2027-06-30T00:00:00Z', volume = 0 }) => ({
    question: `Will ${slug} happen?`,
    slug,
    groupItemTitle: slug,
    outcomes: '["Yes", "No"]',
    outcomePrices: JSON.stringify([String(price), String(1 - price)]),
    volumeNum: volume,
    endDate: end,
    orderPriceMinTickSize: 0.01,
    orderMinSize: 5,
  })),
  ...more,
})

/** Makes the first tag of every event a tab of the site, and its other tags sub-categories of that, as an admin would. */
async function arrangeTabs(platform: Platform): Promise<void> {
  const em = platform.em()
  await em.execute('update tag set is_main_category = true where arranged_at is null and id in (select main_tag_id from event)')
  await em.execute(
    `insert into tag_parent (child_id, parent_id)
     select distinct tag_id, main_tag_id from event_tag join event on event.id = event_id join tag on tag.id = tag_id
     where not is_main_category and arranged_at is null on conflict do nothing`,
  )
}

/** Stores rows of a discovery file, makes tabs of their first tags, and opens their markets, as if registered on the exchange. */
export async function openEvents(platform: Platform, rows: unknown[]): Promise<void> {
  const { events } = readDiscovery(JSON.stringify(rows))
  const terms = { now: platform.now(), mainCategories: new Set<string>(), reopen: true }
  for (const listing of toListings(events, terms).listings) {
    await storeListing(platform, CREATOR, listing)
    await arrangeTabs(platform)
  }
  const em = platform.em()
  await em.execute('update market set registered_at = now(), is_active = true where registered_at is null')
  await em.execute(`update event set status = 'active', active_markets_count = total_markets_count where status in ('draft', 'archived')`)
}
