import { z } from 'zod'
import { resumeId } from '../subscriptions.ts'

/** Subscriptions of a signed-in member, over server-sent events. A client that reconnects with its last event id first gets what it missed. */
export const platformSubscriptions = {
  /** Notifications; event ids are their ids. */
  onNotification: { input: z.object({ lastEventId: z.uuid().optional() }) },
  /** Orders and trades; event ids are positions in the exchange's log. */
  onOrders: { input: z.object({ lastEventId: resumeId.optional() }) },
} as const
