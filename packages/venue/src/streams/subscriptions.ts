import { ServiceError } from '@augury/wire/service-error'
import { type ParsedSubscriptionInput, resumePointOf } from '@augury/wire/subscriptions'
import type { UserMessage } from '@augury/wire/user-stream'
import type { Trader } from '../access/identity.ts'
import type { Edge } from '../edge.ts'
import { Feed, type FeedItem, type Outlet } from './feed.ts'

/** Milliseconds before lagging history is asked again. */
const LAG_MS = 250

/** The public stream for a tRPC subscriber. Ends at the signal; throws FeedEnded when the stream ends it. */
export async function* followMarkets(
  edge: Edge,
  outlet: Outlet,
  input: ParsedSubscriptionInput<'onMarket'>,
  signal: AbortSignal,
): AsyncGenerator<FeedItem> {
  const { lastEventId, ...wanted } = input
  const after = lastEventId === undefined ? undefined : resumePointOf(lastEventId)
  let feed: Feed | null = null
  const leave = edge.stream.follow((onCaughtUp) => (feed = new Feed(outlet, onCaughtUp)), wanted, after)
  try {
    yield* feed!.items(signal)
  } finally {
    leave()
  }
}

/**
 * The private stream for a tRPC subscriber: first the acknowledgement, then what it missed, from history, then what happens; without gap or
 * repeat.
 */
export async function* followUser(
  edge: Edge,
  trader: Trader,
  outlet: Outlet,
  input: ParsedSubscriptionInput<'onUser'>,
  signal: AbortSignal,
): AsyncGenerator<FeedItem> {
  const { account = trader.account, markets = [], lastEventId, cancel_on_disconnect: cancelsOnDisconnect = false } = input
  const epoch = edge.context.venue.timeline
  const named = lastEventId === undefined ? null : resumePointOf(lastEventId)
  const now = edge.context.exchange.seq
  // A point on another timeline means nothing here: begin now, and the new epoch tells the client.
  const after = named ? (named.epoch === epoch ? named.position : now) : (input.after ?? now)
  const feed = new Feed(outlet, () => {})
  const { ack, leave } = edge.userStream.follow(feed, trader, { account, markets, cancelsOnDisconnect })
  try {
    yield { position: Math.min(after, now), messages: [ack] }
    for await (const item of missed(edge, trader, { account, markets, after, until: now }, signal)) {
      feed.requireOpen() // who may hear nothing more is told nothing of the past either
      yield item
    }
    yield* feed.items(signal)
  } finally {
    leave()
  }
}

interface Gap {
  account: Trader['account']
  markets: readonly string[]
  after: number
  until: number
}

/** Events of an account between two positions of the log. */
async function* missed(edge: Edge, trader: Trader, { account, markets, after, until }: Gap, signal: AbortSignal): AsyncGenerator<FeedItem> {
  const market = markets.length > 0 ? { market: markets.join() } : {}
  while (after < until && !signal.aborted) {
    const query = { after, account, limit: 100, ...market }
    const page = await edge.run('listEvents', trader, { params: undefined, query, body: undefined }).catch(lagging)
    if (page) {
      const { data, seq } = page as { data: UserMessage[]; seq: number }
      after = Math.min(seq, until)
      yield { position: after, messages: data.filter((event) => !('seq' in event) || event.seq <= until) }
    } else {
      await new Promise((resolve) => setTimeout(resolve, LAG_MS))
    }
  }
}

/** Null while history is catching up. */
function lagging(error: unknown): null {
  if (error instanceof ServiceError && (error.code === 'read_model_lagging' || error.code === 'service_unavailable')) return null
  throw error
}
