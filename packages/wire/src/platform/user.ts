import { z } from 'zod'
import { checksumAddress } from '../scalars.ts'

const iso = z.iso.datetime()
const stored = z.object({ enabled: z.boolean(), updatedAt: iso.nullable() })

/** What a member may be called. */
export const USERNAME = /^[A-Za-z0-9_]{3,30}$/

/** A member's own view of themselves. Volume in USDC; `settings` has which credentials are stored, never their values. */
export const user = z.object({
  id: z.string(),
  address: checksumAddress,
  username: z.string().nullable(),
  email: z.string().nullable(),
  email_verified: z.boolean(),
  is_admin: z.boolean(),
  created_at: iso,
  updated_at: iso,
  total_volume: z.number(),
  total_trades: z.int(),
  settings: z.object({
    trading: z.object({ clob: stored, relayer: stored }),
    preferences: z.record(z.string(), z.unknown()),
  }),
  /** Empty until there is one. */
  proxy_wallet_address: z.string(),
  proxy_wallet_signature: z.string(),
  proxy_wallet_status: z.enum(['not_started', 'signed', 'deploying', 'deployed']),
  affiliate_code: z.string(),
  two_factor_enabled: z.boolean(),
  /**
   * How many passkeys and wallets sign the member in, and how many recovery codes are left. `keeps_key`: the site keeps the key of the account, which
   * was opened with a passkey.
   */
  ways_in: z.object({ passkeys: z.int(), wallets: z.int(), recovery_codes: z.int(), keeps_key: z.boolean() }),
})

/** The public view of a member. */
export const publicUser = z.object({
  address: checksumAddress,
  proxy_wallet_address: z.string(),
  username: z.string().nullable(),
  image: z.string(),
  created_at: iso,
})

/** A session of a member. */
export const session = z.object({
  id: z.string(),
  /** Whether it is the caller's. */
  current: z.boolean(),
  created_at: iso,
  /** Accurate to five minutes. */
  last_seen_at: iso,
  user_agent: z.string(),
  client_address: z.string(),
})

export type User = z.output<typeof user>
export type PublicUser = z.output<typeof publicUser>
export type SessionView = z.output<typeof session>
