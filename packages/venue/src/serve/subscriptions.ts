import { PAGE } from '@augury/wire/limits'
import { ServiceError } from '@augury/wire/service-error'
import { type ParsedSubscriptionInput, resumePointOf } from '@augury/wire/subscriptions'
import type { UserMessage } from '@augury/wire/user-stream'
import type { Trader } from './access/identity.ts'
import type { Edge } from './edge.ts'
import { Feed, type FeedItem, type Outlet } from './streams/feed.ts'

/** Milliseconds before history that lags, or was asked too often, is asked again. */
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
  const begun = performance.now()
  const leave = edge.stream.follow((onCaughtUp) => (feed = new Feed(outlet, onCaughtUp)), wanted, after)
  outlet.worked(performance.now() - begun) // to make the books of many markets takes its time
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
    for await (const item of missed(edge, trader, feed, { account, markets, after, until: now }, signal)) {
      feed.requireOpen() // a revoked key gets nothing of the past either
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

/** Events of an account between two positions of the log, read as fast as the connection of the feed takes them. */
async function* missed(
  edge: Edge,
  trader: Trader,
  feed: Feed,
  { account, markets, after, until }: Gap,
  signal: AbortSignal,
): AsyncGenerator<FeedItem> {
  const market = markets.length > 0 ? { market: markets } : {}
  for (;;) {
    await feed.room(signal)
    if (after >= until || signal.aborted) return
    const query = { after, account, limit: PAGE, ...market }
    const page = await pageOf(edge, trader, query).catch(notYet)
    if (page) {
      const { data, seq } = page as { data: UserMessage[]; seq: number }
      after = Math.min(seq, until)
      yield { position: after, messages: data.filter((event) => !('seq' in event) || event.seq <= until) }
    } else {
      await new Promise((resolve) => setTimeout(resolve, LAG_MS))
    }
  }
}

/** A page of events, which counts like one that is asked for by itself. */
async function pageOf(edge: Edge, trader: Trader, query: object): Promise<unknown> {
  edge.gateway.countWithin('listEvents', trader)
  return edge.run('listEvents', trader, { query })
}

const LATER: ReadonlySet<string> = new Set(['read_model_lagging', 'service_unavailable', 'rate_limited'])

/** Null while history is catching up, or has been asked too often. */
function notYet(error: unknown): null {
  if (error instanceof ServiceError && LATER.has(error.code)) return null
  throw error
}
