import type { LiveBook } from '@augury/client/live-book'
import { MarketStream, marketStreamUrl } from '@augury/client/stream'
import { LiveMarket } from './live-market.ts'
import type { FeedNews, FeedRequest, FollowedMarket, MarketPaint } from './market-feed.ts'
import { PaintClock } from './paint-clock.ts'
import type { TradeView } from './trade-view.ts'

/** The worker of a `MarketFeed`: it maintains the books and sends their state to the page. */
interface Kept {
  market: LiveMarket
  depth: number
  stop: () => void
  /** The trades that the page was sent last. */
  sent: TradeView[]
}

const tell = (news: FeedNews) => postMessage(news)
const kept = new Map<string, Kept>()
const heard = new Map<string, LiveBook>()
const clock = new PaintClock(paint)
let stream: MarketStream | undefined

addEventListener('message', ({ data }: MessageEvent<FeedRequest>) => {
  if (data.ask === 'open') stream = new MarketStream({ url: marketStreamUrl(data.clobUrl), onStatus: (status) => tell({ status }) })
  else if (data.ask === 'follow') follow(data.market)
  else if (data.ask === 'leave') leave(data.conditionId)
  else clock.painted()
})

function follow({ conditionId, tokens, depth }: FollowedMarket): void {
  const market = new LiveMarket(tokens[0])
  const followed = { condition_id: conditionId, tokens: tokens.map((token_id) => ({ token_id })) }
  const stop = stream!.follow(followed, (book, message) => {
    market.apply(message)
    heard.set(conditionId, book)
    clock.request()
  })
  kept.set(conditionId, { market, depth, stop, sent: market.trades })
}

function leave(conditionId: string): void {
  kept.get(conditionId)?.stop()
  kept.delete(conditionId)
  heard.delete(conditionId)
}

function paint(): void {
  const paints: MarketPaint[] = []
  for (const [conditionId, book] of heard) {
    const { market, depth, sent } = kept.get(conditionId)!
    const view = market.view(book, depth)
    if (!view) continue
    const { volume, interest } = market
    paints.push({ conditionId, book: view, trades: market.trades === sent ? null : market.trades, volume, interest })
    kept.get(conditionId)!.sent = market.trades
  }
  heard.clear()
  tell({ paints })
}
