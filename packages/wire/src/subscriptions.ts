import { z } from 'zod'
import { SOCKET_CONDITIONS } from './limits.ts'
import { marketMessage } from './market-stream.ts'
import type { Schema } from './operation.ts'
import { address, anyId, bytes32, tokenText } from './scalars.ts'
import { accountEvent, userHeartbeatMessage, userSubscribedMessage } from './user-stream.ts'

/** A tRPC subscription: a row of a table, like an operation. */
export interface Subscription {
  /** Everybody, or a key of any scope. */
  auth: 'public' | 'read'
  /** One sentence for the documents. */
  summary: string
  input: Schema
  /** Each array holds all messages of one row of the log. */
  messages: z.ZodArray
}

/** `epoch-position`: the client has everything up to it. Sent as the last event id when resuming. */
export const resumeId = z.string().regex(/^\d{1,10}-\d{1,15}$/)
/** Of the market stream, which tells those that are unknown; the user stream has nothing to tell of what is none. */
const markets = z.array(anyId).max(SOCKET_CONDITIONS)
const ownMarkets = z.array(bytes32).max(SOCKET_CONDITIONS)

/** Events of an account: a live one also has the position of the frame before, one from history does not. */
const [orderEvent, tradeEvent] = accountEvent.options
const before = { prev_seq: z.int().optional() }
const followedEvents = [orderEvent.extend(before), tradeEvent.extend(before)] as const

export const venueSubscriptions = {
  onMarket: {
    auth: 'public',
    summary:
      'Books and trades of markets. Begins with their books; goes on after `lastEventId`, or with books anew when that is too long ago.',
    input: z.object({
      markets: markets.optional(),
      assets_ids: z
        .array(tokenText)
        .max(SOCKET_CONDITIONS * 2)
        .optional(),
      custom_feature_enabled: z.boolean().optional(),
      lastEventId: resumeId.optional(),
    }),
    messages: z.array(marketMessage),
  },
  onUser: {
    auth: 'read',
    summary: 'Orders and trades of an account, every one once and in order; what was missed after `lastEventId` comes first, however old.',
    input: z.strictObject({
      /** The account; only keys of scope venue may name another than their own. */
      account: address.optional(),
      markets: ownMarkets.optional(),
      /** Starts after this position in the log; by default, now. */
      after: z.int().min(0).optional(),
      cancel_on_disconnect: z.boolean().optional(),
      lastEventId: resumeId.optional(),
    }),
    messages: z.array(z.discriminatedUnion('event_type', [userSubscribedMessage, ...followedEvents, userHeartbeatMessage])),
  },
} as const satisfies Record<string, Subscription>

export type VenueSubscriptions = typeof venueSubscriptions
export type VenueSubscriptionName = keyof VenueSubscriptions

/** Input of a subscription, before parsing. */
export type SubscriptionInput<Name extends VenueSubscriptionName> = z.input<VenueSubscriptions[Name]['input']>
/** Input of a subscription, parsed. */
export type ParsedSubscriptionInput<Name extends VenueSubscriptionName> = z.output<VenueSubscriptions[Name]['input']>
/** The messages a subscriber gets at a time. */
export type SubscriptionMessages<Name extends VenueSubscriptionName> = z.output<VenueSubscriptions[Name]['messages']>

/** A position in the log, with its timeline. */
export interface ResumePoint {
  epoch: number
  position: number
}

/** Parses a `resumeId`. */
export function resumePointOf(id: string): ResumePoint {
  const [epoch, position] = id.split('-').map(Number)
  return { epoch: epoch!, position: position! }
}

/** Formats a `resumeId`. */
export const resumeIdOf = ({ epoch, position }: ResumePoint): string => `${epoch}-${position}`

/** Connection parameters of `/trpc`, required for private subscriptions: signed like a `GET` of `/trpc`. */
export const subscriptionLogin = z.object({
  key: z.string().max(64),
  passphrase: z.string().max(256),
  timestamp: z.string().max(16),
  signature: z.string().max(64),
})

const id = z.int()
const path = <const Name extends VenueSubscriptionName>(name: Name) =>
  z
    .object({
      id,
      method: z.literal('subscription'),
      params: z.object({
        path: z.literal(name),
        input: venueSubscriptions[name].input.optional(),
        /** The last id received, when resuming. */
        lastEventId: resumeId.optional(),
      }),
    })
    .meta({ title: name })

/** Messages of clients of `/trpc`, in tRPC’s protocol. */
export const subscriptionRequest = z.union([
  z.object({ method: z.literal('connectionParams'), data: subscriptionLogin }).meta({ title: 'connectionParams' }),
  path('onMarket'),
  path('onUser'),
  z.object({ id, method: z.literal('subscription.stop') }).meta({ title: 'stop' }),
])

const subscriptionData = (name: VenueSubscriptionName) =>
  z
    .object({
      id,
      result: z.object({
        type: z.literal('data'),
        id: resumeId,
        data: z.object({ id: resumeId, data: venueSubscriptions[name].messages as z.ZodArray }),
      }),
    })
    .meta({ title: `${name}Data` })

/** Messages of the service on `/trpc`. */
export const subscriptionReply = z.union([
  z.object({ id, result: z.object({ type: z.enum(['started', 'stopped']) }) }).meta({ title: 'startedStopped' }),
  subscriptionData('onMarket'),
  subscriptionData('onUser'),
  z
    .object({
      id: id.nullable(),
      error: z.object({
        message: z.string(),
        code: z.int(),
        data: z.object({
          code: z.string(),
          httpStatus: z.int(),
          path: z.string().optional(),
          /** Seconds until another attempt makes sense. */
          retryAfter: z.int().optional(),
          refusal: z.object({ error: z.string(), code: z.string() }).loose().nullable(),
        }),
      }),
    })
    .meta({ title: 'refused' }),
])
