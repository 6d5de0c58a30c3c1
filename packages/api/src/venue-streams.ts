import type { Trader } from '@augury/venue/serve/access/identity'
import type { Edge } from '@augury/venue/serve/edge'
import { FeedEnded, type FeedItem, type Outlet } from '@augury/venue/serve/streams/feed'
import { followMarkets, followUser } from '@augury/venue/serve/subscriptions'
import { ADDRESS_SUBSCRIPTIONS, CLOSE, SOCKET_SUBSCRIPTIONS } from '@augury/wire/limits'
import { parse } from '@augury/wire/parse'
import { ServiceError } from '@augury/wire/service-error'
import {
  resumeIdOf,
  type SubscriptionInput,
  type SubscriptionMessages,
  type VenueSubscriptionName,
  venueSubscriptions,
} from '@augury/wire/subscriptions'
import { type TrackedEnvelope, tracked } from '@trpc/server'
import { trpcError } from './trpc.ts'

/** What subscriptions of one socket run with. */
export interface VenueSocket {
  edge: Edge
  outlet: Outlet
  /** Who logged in when the socket opened; throws the refusal of who tried in vain or did not try, and of whose key was revoked since. */
  trader(): Trader
  /** Subscriptions under way. */
  open: number
  /** Those of all sockets of the client's address; null for a client without limits. */
  readonly ofAddress: { open: number } | null
}

type Told<Name extends VenueSubscriptionName> = AsyncGenerator<TrackedEnvelope<SubscriptionMessages<Name>>, void, void>

/** The streams as subscriptions. What each tells has an id, after which a client that comes back goes on. */
export const venueStreams = {
  async onMarket(socket: VenueSocket, signal: AbortSignal, input: SubscriptionInput<'onMarket'>): Promise<Told<'onMarket'>> {
    const wanted = parse(venueSubscriptions.onMarket.input, input ?? {})
    return told<'onMarket'>(socket, followMarkets(socket.edge, socket.outlet, wanted, signal))
  },
  async onUser(socket: VenueSocket, signal: AbortSignal, input?: SubscriptionInput<'onUser'>): Promise<Told<'onUser'>> {
    const wanted = parse(venueSubscriptions.onUser.input, input ?? {})
    return told<'onUser'>(socket, followUser(socket.edge, socket.trader(), socket.outlet, wanted, signal))
  },
}

async function* told<Name extends VenueSubscriptionName>(socket: VenueSocket, items: AsyncIterable<FeedItem>): Told<Name> {
  const epoch = socket.edge.context.venue.timeline
  if (socket.open >= SOCKET_SUBSCRIPTIONS) throw trpcError(new ServiceError('too_many_items'))
  const counts = [socket, ...(socket.ofAddress ? [socket.ofAddress] : [])]
  if (counts.some(({ open }) => open >= ADDRESS_SUBSCRIPTIONS)) throw trpcError(new ServiceError('rate_limited', { retryAfter: 10 }))
  for (const count of counts) count.open++
  try {
    for await (const { position, messages } of items) {
      yield tracked(resumeIdOf({ epoch, position }), messages as SubscriptionMessages<Name>)
    }
  } catch (error) {
    throw error instanceof FeedEnded ? ending(error) : error
  } finally {
    for (const count of counts) count.open--
  }
}

/** Why a subscription ended while its socket goes on. */
const ending = ({ code, message }: FeedEnded): ServiceError => {
  if (code === CLOSE.unauthenticated) return new ServiceError('unknown_key')
  if (code === CLOSE.tooManySubscriptions) return new ServiceError('too_many_items', { text: message })
  return new ServiceError('service_unavailable', { retryAfter: 1 })
}
