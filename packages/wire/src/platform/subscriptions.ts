import { z } from 'zod'
import { resumeId } from '../subscriptions.ts'

/**
 * What a member hears over tRPC (server-sent events) while signed in. Everything told has an id; a client that comes back names the last
 * one, and what it missed comes first.
 */
export const platformSubscriptions = {
  /** Notifications, by their ids. */
  onNotification: { input: z.object({ lastEventId: z.uuid().optional() }) },
  /** Orders and trades, by their place in the log of the exchange. */
  onOrders: { input: z.object({ lastEventId: resumeId.optional() }) },
} as const
