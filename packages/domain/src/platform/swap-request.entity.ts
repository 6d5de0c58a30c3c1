import { defineEntity, p } from '@mikro-orm/core'

const schema = defineEntity({
  name: 'SwapRequest',
  tableName: 'swap_request',
  properties: {
    id: p.uuid().primary().defaultRaw('uuidv7()'),
    at: p.datetime(3).index(),
  },
})

/** A request to the swap service, counted against its rate limit across all processes. */
export class SwapRequest extends schema.class {}
schema.setClass(SwapRequest)
