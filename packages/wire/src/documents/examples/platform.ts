import type { platformOperations } from '../../platform/operations.ts'
import type { ExamplesOf } from '../example.ts'
import { condition, marketSlug } from './subjects.ts'

const status = { data: [{ condition_id: condition, is_active: true, is_resolved: false }], next_cursor: 'LTE=' }

/** Calls of a deployment's operations, and their answers. */
export const platformExamples: ExamplesOf<typeof platformOperations> = {
  listEvents: { query: { tag: 'trending', limit: 12 } },
  marketMetadata: { params: { slug: marketSlug }, query: { conditionId: condition }, output: { data: null } },
  relatedEvents: {
    params: { slug: marketSlug },
    output: [
      {
        id: '01JGBQ6E5V0000000000000000',
        slug: 'snow-in-porto-in-january',
        title: 'Will it snow in Porto in January?',
        icon_url: '',
        common_tags_count: 1,
        chance: 3,
      },
    ],
  },
  marketsStatus: { query: { conditionIds: [condition] }, output: status },
  liveSeries: {
    query: { seriesSlug: 'btc-usd-5m', eventEndMs: 1_795_176_300_000 },
    output: {
      series_slug: 'btc-usd-5m',
      instrument: 'BTC/USD',
      interval: '5m',
      source: 'oracle_a',
      interval_ms: 300_000,
      active_window_minutes: 5,
      event_window_start_ms: 1_795_176_000_000,
      event_window_end_ms: 1_795_176_300_000,
      opening_price: 97_012.44,
      closing_price: null,
      latest_price: 97_012.44,
      latest_window_end_ms: 1_795_176_000_000,
      latest_source_timestamp_ms: 1_795_176_000_000,
      is_event_closed: false,
    },
  },
  marketsStatusBatch: { body: { conditionIds: [condition] }, output: status },
}
