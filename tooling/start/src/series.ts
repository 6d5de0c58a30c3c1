import { addSeries, type SeriesTerms } from '@augury/platform/series/manage-series'
import { openPlatform } from '@augury/platform/site/platform'
import type { StartSettings } from '@augury/settings/env'

/** In a sandbox a result is final a minute after the end of its window, so that a watcher sees it. */
const SOON = { settlementSeconds: 30, disputeSeconds: 30, recurring: true } as const

const SERIES: readonly SeriesTerms[] = [
  {
    slug: 'btc-updown-5m',
    instrument: 'BTC/USD',
    interval: '5m',
    source: 'oracle_a',
    displayName: 'Bitcoin',
    symbolA: 'BTC/USD',
    symbolB: 'BTC/USD',
    ...SOON,
  },
  {
    slug: 'eth-updown-15m',
    instrument: 'ETH/USD',
    interval: '15m',
    source: 'oracle_a',
    displayName: 'Ethereum',
    symbolA: 'ETH/USD',
    symbolB: 'ETH/USD',
    ...SOON,
  },
]

/** Series of the sandboxes of older releases: their open windows go on to their end, and no further ones follow. */
const FORMER = ['btc-usd-5m', 'eth-usd-15m']

/** Creates the sandbox's series that are missing; the worker opens their markets. Resolves with what there is. */
export async function openSeries(settings: StartSettings): Promise<string> {
  const platform = await openPlatform(settings.databaseUrl)
  try {
    for (const terms of SERIES) await addSeries(platform.em(), terms)
    await platform.em().execute('update price_series set recurring = false where slug in (?, ?)', FORMER)
    return SERIES.map(({ slug }) => slug).join(', ')
  } finally {
    await platform.close()
  }
}
