import type { marketOperations } from '../../operations/markets.ts'
import type { ExamplesOf } from '../example.ts'
import { alice, condition, marketSlug, no, operator, question, tradeId, transaction, yes } from './subjects.ts'

const tokens = [
  { token_id: yes, outcome: 'Yes', price: 0.43, winner: false },
  { token_id: no, outcome: 'No', price: 0.57, winner: false },
]
const rewards = { rates: null, min_size: 0, max_spread: 0 }
const state = { active: true, closed: false, archived: false, accepting_orders: true }

/** The public view of the market. */
export const market = {
  ...state,
  enable_order_book: true,
  accepting_order_timestamp: '2025-12-01T09:00:00.000Z',
  minimum_order_size: 5,
  minimum_tick_size: 0.01,
  condition_id: condition,
  question_id: '0x1f0e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0',
  question,
  description: '',
  market_slug: marketSlug,
  end_date_iso: '2026-01-02T00:00:00.000Z',
  game_start_time: null,
  seconds_delay: 0,
  fpmm: '',
  maker_base_fee: 0,
  taker_base_fee: 0,
  notifications_enabled: true,
  neg_risk: false,
  neg_risk_market_id: '',
  neg_risk_request_id: '',
  icon: '',
  image: '',
  rewards,
  is_50_50_outcome: false,
  tokens,
  tags: ['weather'],
  creator: operator,
  mode: 'open',
  short_title: 'Rain in Lisbon',
  rules: 'Resolves to Yes if the station at the airport of Lisbon reports rain on that day.',
  resolution_source: 'The weather office',
  resolution_source_url: '',
  resolution_status: null,
  resolution_price: null,
  resolution_flagged: false,
  resolution_paused: false,
  resolution_deadline_at: null,
  fee_rate_bps: 0,
  created_at: '2025-12-01T09:00:00.000Z',
  updated_at: '2025-12-01T09:00:00.000Z',
  event: {
    slug: marketSlug,
    title: question,
    icon: '',
    tags: [{ slug: 'weather', name: 'Weather' }],
    rules: 'Yes when at least 0.1 mm falls.',
    start_date: null,
    end_date: '2026-01-02T00:00:00.000Z',
    series_slug: null,
  },
}

const simplified = { condition_id: condition, tokens, rewards, ...state }
const all = { limit: 100, count: 1, next_cursor: 'LTE=' }
const query = { token_id: yes }
const params = { condition_id: condition }

const trade = {
  id: tradeId,
  market: condition,
  asset_id: yes,
  outcome: 'Yes',
  outcome_index: 0,
  side: 'SELL',
  price: '0.42',
  size: '40',
  usdc_size: '16.8',
  match_type: 'direct',
  fee: '0',
  timestamp: 1_767_182_401,
  timestamp_iso: '2025-12-31T12:00:01.250Z',
  transaction_hash: transaction,
  taker_address: alice,
  event_slug: marketSlug,
  title: question,
  slug: marketSlug,
  seq: 4211,
}

export const marketExamples: ExamplesOf<typeof marketOperations> = {
  listMarkets: { output: { ...all, data: [market] } },
  getMarket: { params, output: market },
  listSimplifiedMarkets: { output: { ...all, data: [simplified] } },
  listSamplingMarkets: { output: { ...all, data: [market] } },
  listSamplingSimplifiedMarkets: { output: { ...all, data: [simplified] } },
  getClobMarket: {
    params,
    output: {
      c: condition,
      t: [
        { t: yes, o: 'Yes' },
        { t: no, o: 'No' },
      ],
      mts: 0.01,
      mos: 5,
      mbf: 0,
      tbf: 0,
      nr: false,
      fd: { r: 0, e: 1, to: true },
      r: null,
      ao: true,
      gst: null,
      sd: 0,
      cbos: false,
      aot: '2025-12-01T09:00:00.000Z',
      itode: false,
      ibce: false,
      rfqe: false,
      oas: 0,
    },
  },
  getMarketByToken: { params: query, output: { condition_id: condition, primary_token_id: yes, secondary_token_id: no } },
  getTickSize: { query, output: { minimum_tick_size: 0.01 } },
  getNegRisk: { query, output: { neg_risk: false } },
  getFeeRate: { query, output: { base_fee: 0, fee_schedule: { rate: 0, exponent: 1, takerOnly: true, rebateRate: 0 } } },
  listTrades: { query: { market: condition, limit: 20 }, output: { data: [trade], next_cursor: 'LTE=' } },
  getVolumes: {
    body: { include_24h: true, conditions: [{ condition_id: condition }] },
    output: [
      {
        condition_id: condition,
        status: 200,
        volume: '16.8',
        volume_24h: '16.8',
        open_interest: '100',
        active_positions_count: 2,
      },
    ],
  },
}
