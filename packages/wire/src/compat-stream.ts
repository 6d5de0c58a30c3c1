import { z } from 'zod'
import { tokenText } from './scalars.ts'

/** What clients of the established streams say. Their secrets travel in frames: nothing of them is ever logged. */
const tokens = z.array(tokenText).max(1000)
const custom = { custom_feature_enabled: z.boolean().optional() }

export const compatMarketRequest = z.union([
  z.object({
    type: z.string().toLowerCase().pipe(z.literal('market')),
    assets_ids: tokens.optional(),
    initial_dump: z.boolean().optional(),
    ...custom,
  }),
  z.object({ operation: z.enum(['subscribe', 'unsubscribe']), assets_ids: tokens, ...custom }),
])

const heldSecret = z
  .object({
    apiKey: z.string().optional(),
    apikey: z.string().optional(),
    key: z.string().optional(),
    secret: z.string().max(128),
    passphrase: z.string().max(128),
  })
  .transform(({ apiKey, apikey, key, secret, passphrase }) => ({ apiKey: apiKey ?? apikey ?? key ?? '', secret, passphrase }))
const conditions = z.array(z.string().max(128).toLowerCase()).max(1000)

export const compatUserRequest = z.union([
  z.object({ type: z.string().toLowerCase().pipe(z.literal('user')), auth: heldSecret, markets: conditions.optional() }),
  z.object({ operation: z.enum(['subscribe', 'unsubscribe']), markets: conditions }),
])

/** One subscription of the live-data client; `filters` is JSON in a text. */
export const liveSubscription = z.object({
  topic: z.string().max(64),
  type: z.string().max(64),
  filters: z.string().max(65_536).optional(),
  clob_auth: heldSecret.optional(),
})
export const liveRequest = z.object({ action: z.enum(['subscribe', 'unsubscribe']), subscriptions: z.array(liveSubscription).max(100) })

export type HeldSecret = z.output<typeof heldSecret>
export type LiveSubscription = z.output<typeof liveSubscription>
