import { defineEntity, p } from '@mikro-orm/core'

export const swapRequestSchema = defineEntity({
  name: 'SwapRequest',
  tableName: 'swap_request',
  properties: {
    id: p.uuid().primary().defaultRaw('uuidv7()'),
    at: p.datetime(3).index(),
  },
})

/** A request to the swap service, counted against its rate limit across all processes. */
export class SwapRequest extends swapRequestSchema.class {}
swapRequestSchema.setClass(SwapRequest)
