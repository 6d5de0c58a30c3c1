import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { questionId } from '@augury/signing/ids'
import { query } from '@augury/testing/connection'
import { LAST_CURSOR } from '@augury/wire/limits'

// An exchange that knows the markets of a catalogue and answers what jobs ask, from text that is ready: what is measured is who asks.
// Everything it says differs from what a full catalogue has.
const [databaseUrl = '', port = ''] = process.argv.slice(2)
const PAGE = 100

interface Known {
  id: string
  slug: string
  title: string
  event: string
  creator: string
  end: string
  yes: string
  no: string
}

const markets = await query<Known>(
  databaseUrl,
  `
  select condition_id as id, market.slug, market.question as title, event.slug as event, creator,
    to_char(end_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as end, yes.token_id as yes, no.token_id as no
  from market join event on event.id = event_id
  join outcome yes on yes.market_condition_id = condition_id and yes.index = 0
  join outcome no on no.market_condition_id = condition_id and no.index = 1
  order by condition_id`,
)

const byId = new Map(markets.map((market) => [market.id, market]))
const byToken = new Map<string, { market: Known; outcome: 0 | 1 }>()
for (const market of markets) {
  byToken.set(market.yes, { market, outcome: 0 })
  byToken.set(market.no, { market, outcome: 1 })
}

const viewOf = (market: Known) => ({
  enable_order_book: true,
  active: true,
  closed: false,
  archived: false,
  accepting_orders: true,
  accepting_order_timestamp: market.end,
  minimum_order_size: 6,
  minimum_tick_size: 0.01,
  condition_id: market.id,
  question_id: questionId(market.creator as `0x${string}`, market.slug),
  question: market.title,
  description: 'What it is about, in as many words as usual. '.repeat(8),
  market_slug: market.slug,
  end_date_iso: market.end,
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
  rewards: { rates: null, min_size: 0, max_spread: 0 },
  is_50_50_outcome: false,
  tokens: [
    { token_id: market.yes, outcome: 'Yes', price: 0.5, winner: false },
    { token_id: market.no, outcome: 'No', price: 0.5, winner: false },
  ],
  tags: ['Tag 1'],
  creator: `0x${'ab'.repeat(20)}`,
  mode: 'open',
  short_title: 'Case',
  rules: 'How it is resolved, in as many words as usual. '.repeat(8),
  resolution_source: '',
  resolution_source_url: '',
  resolution_status: 'pending',
  resolution_price: null,
  resolution_flagged: false,
  resolution_paused: false,
  resolution_deadline_at: market.end,
  fee_rate_bps: 400,
  created_at: market.end,
  updated_at: market.end,
  event: {
    slug: market.event,
    title: market.title,
    icon: '',
    tags: [{ slug: 'tag-1', name: 'Tag 1' }],
    rules: '',
    start_date: null,
    end_date: market.end,
    series_slug: null,
  },
})

function bookOf(token: string) {
  const { market, outcome } = byToken.get(token)!
  const level = (cents: number) => ({ price: (cents / 100).toFixed(2), size: '100' })
  const [bid, ask] = outcome === 0 ? [40, 44] : [56, 60]
  return {
    market: market.id,
    asset_id: token,
    timestamp: '1',
    hash: '',
    bids: Array.from({ length: 12 }, (_, n) => level(bid - n)),
    asks: Array.from({ length: 12 }, (_, n) => level(ask + n)),
    min_order_size: '7',
    tick_size: '0.01',
    neg_risk: false,
    last_trade_price: '0.42',
  }
}

type Body = { conditions: { condition_id: string }[]; markets: string[] } & { token_id: string }[]
const answers: Record<string, (body: Body) => unknown> = {
  '/data/volumes': ({ conditions }) =>
    conditions.map(({ condition_id }) => ({
      condition_id,
      status: 200,
      volume: '1000.5',
      volume_24h: '10.25',
      open_interest: '7',
      active_positions_count: 3,
    })),
  '/books': (tokens) => tokens.map(({ token_id }) => bookOf(token_id)),
  '/batch-prices-history': ({ markets: tokens }) => {
    const now = Math.floor(Date.now() / 60_000) * 60
    return {
      history: Object.fromEntries(
        tokens.map((token) => [token, Array.from({ length: 5 }, (_, n) => ({ t: now - 60 * n, p: 0.4 + n / 100 })).reverse()]),
      ),
    }
  },
}

const server = createServer(async (request, response) => {
  const body = request.method === 'POST' ? await text(request) : ''
  const { pathname, searchParams } = new URL(request.url!, 'http://exchange')
  const reply = (value: unknown) => response.setHeader('content-type', 'application/json').end(JSON.stringify(value))
  if (pathname.startsWith('/markets/')) return reply(viewOf(byId.get(pathname.slice(9))!))
  if (pathname === '/markets') {
    const from = Number(searchParams.get('next_cursor') ?? 0)
    const data = markets.slice(from, from + PAGE).map(viewOf)
    return reply({ limit: PAGE, count: data.length, next_cursor: from + PAGE < markets.length ? String(from + PAGE) : LAST_CURSOR, data })
  }
  const answer = answers[pathname]
  return reply(answer ? answer(JSON.parse(body)) : {})
})
server.listen(Number(port), '127.0.0.1', () => console.log('listening'))
