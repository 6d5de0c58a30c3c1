import type { PriceSeries } from '@augury/domain/platform/price-series.entity'
import type { EntityManager } from '@mikro-orm/postgresql'

/** A series as it is configured; what is left out is usual. */
export type SeriesTerms = Pick<PriceSeries, 'slug' | 'instrument' | 'interval' | 'source' | 'displayName'> &
  Partial<
    Pick<PriceSeries, 'symbolA' | 'symbolB' | 'enabled' | 'recurring' | 'category' | 'ahead' | 'settlementSeconds' | 'disputeSeconds'>
  >

/** Configures a series unless there is one of its slug. Returns whether there was none. */
export async function addSeries(em: EntityManager, terms: SeriesTerms): Promise<boolean> {
  const { symbolA = '', symbolB = '', enabled = true, recurring = false, category = 'crypto', ahead = 2 } = terms
  const { settlementSeconds = 300, disputeSeconds = 300 } = terms
  const added = await em.execute(
    `insert into price_series (slug, instrument, interval, source, display_name, symbol_a, symbol_b, enabled, recurring, category, ahead,
       settlement_seconds, dispute_seconds)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (slug) do nothing returning slug`,
    [
      ...[
        terms.slug,
        terms.instrument,
        terms.interval,
        terms.source,
        terms.displayName,
        symbolA,
        symbolB,
        enabled,
        recurring,
        category,
        ahead,
      ],
      ...[settlementSeconds, disputeSeconds],
    ],
  )
  return added.length > 0
}
