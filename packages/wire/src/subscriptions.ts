import { z } from 'zod'
import { SOCKET_CONDITIONS } from './limits.ts'
import { marketMessage } from './market-stream.ts'
import type { Schema } from './operation.ts'
import { address, anyId, tokenText } from './scalars.ts'
import { accountEvent, userHeartbeatMessage, userSubscribedMessage } from './user-stream.ts'

/** What a caller hears from now on over tRPC: a row for each, as operations have. */
export interface Subscription {
  /** Everybody, or a key of whatever scope. */
  auth: 'public' | 'read'
  /** One sentence for the documents. */
  summary: string
  input: Schema
  /** Messages come as arrays: all that one row of the log has to say. */
  messages: z.ZodArray
}

/** `epoch-position`: everything up to it was told. What a client that comes back names as its last event. */
export const resumeId = z.string().regex(/^\d{1,10}-\d{1,15}$/)
const markets = z.array(anyId).max(SOCKET_CONDITIONS)

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
    input: z.object({
      /** Whose; another than one’s own only for keys of scope venue. */
      account: address.optional(),
      markets: markets.optional(),
      /** Begins after this position in the log; without it, now. */
      after: z.int().min(0).optional(),
      cancel_on_disconnect: z.boolean().optional(),
      lastEventId: resumeId.optional(),
    }),
    messages: z.array(z.discriminatedUnion('event_type', [userSubscribedMessage, ...accountEvent.options, userHeartbeatMessage])),
  },
} as const satisfies Record<string, Subscription>

export type VenueSubscriptions = typeof venueSubscriptions
export type VenueSubscriptionName = keyof VenueSubscriptions

/** What a subscriber sends. */
export type SubscriptionInput<Name extends VenueSubscriptionName> = z.input<VenueSubscriptions[Name]['input']>
/** The same, read. */
export type SubscriptionWish<Name extends VenueSubscriptionName> = z.output<VenueSubscriptions[Name]['input']>
/** What it hears at a time. */
export type SubscriptionMessages<Name extends VenueSubscriptionName> = z.output<VenueSubscriptions[Name]['messages']>

/** A place in the log of a timeline. */
export interface ResumePoint {
  epoch: number
  position: number
}

/** The place that an id names. */
export function resumePointOf(id: string): ResumePoint {
  const [epoch, position] = id.split('-').map(Number)
  return { epoch: epoch!, position: position! }
}

/** The id of a place. */
export const resumeIdOf = ({ epoch, position }: ResumePoint): string => `${epoch}-${position}`

/** What `/trpc` is told once a connection, before anything private is heard: signed like a `GET` of `/trpc`. */
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
        /** The last id that was heard, of who comes back. */
        lastEventId: resumeId.optional(),
      }),
    })
    .meta({ title: name })

/** What a client of `/trpc` says: tRPC’s own protocol. */
export const subscriptionRequest = z.union([
  z.object({ method: z.literal('connectionParams'), data: subscriptionLogin }).meta({ title: 'connectionParams' }),
  path('onMarket'),
  path('onUser'),
  z.object({ id, method: z.literal('subscription.stop') }).meta({ title: 'stop' }),
])

const told = (name: VenueSubscriptionName) =>
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

/** What the service says there. */
export const subscriptionReply = z.union([
  z.object({ id, result: z.object({ type: z.enum(['started', 'stopped']) }) }).meta({ title: 'startedStopped' }),
  told('onMarket'),
  told('onUser'),
  z
    .object({
      id: id.nullable(),
      error: z.object({
        message: z.string(),
        code: z.int(),
        data: z.object({
          code: z.string(),
          httpStatus: z.int(),
          refusal: z.object({ error: z.string(), code: z.string() }).loose().nullable(),
        }),
      }),
    })
    .meta({ title: 'refused' }),
])
