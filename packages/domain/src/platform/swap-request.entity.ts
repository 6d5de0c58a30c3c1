import { defineEntity, p } from '@mikro-orm/core'

const schema = defineEntity({
  name: 'SwapRequest',
  tableName: 'swap_request',
  properties: {
    id: p.uuid().primary().defaultRaw('uuidv7()'),
    at: p.datetime(3).index(),
  },
})

/** A question to the swap service, which answers only so many in a window, whichever process asks. */
export class SwapRequest extends schema.class {}
schema.setClass(SwapRequest)
