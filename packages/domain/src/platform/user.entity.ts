import { defineEntity, p } from '@mikro-orm/core'
import { usdcColumn } from '../columns.ts'

/** Status of a member's proxy wallet. */
const PROXY_WALLET_STATUSES = ['not_started', 'signed', 'deploying', 'deployed'] as const
export type ProxyWalletStatus = (typeof PROXY_WALLET_STATUSES)[number]

export const userSchema = defineEntity({
  name: 'User',
  tableName: 'users', // "user" alone is a function of PostgreSQL
  checks: [
    { name: 'users_address_form', expression: `address ~ '^0x[0-9a-f]{40}$'` },
    { name: 'users_username_form', expression: `username ~ '^[A-Za-z0-9_]{3,30}$'` },
    { name: 'users_email_form', expression: `email ~ '^[^@[:space:]]+@[^@[:space:]]+$' and length(email) <= 254` },
    { name: 'users_verified_email_exists', expression: 'not email_verified or email is not null' },
    { name: 'users_affiliate_code_form', expression: `affiliate_code ~ '^[a-z0-9]{6,32}$'` },
    { name: 'users_statistics_not_negative', expression: 'total_volume >= 0 and total_trades >= 0' },
    { name: 'users_proxy_wallet_form', expression: `proxy_wallet_address ~ '^0x[0-9a-f]{40}$'` },
    {
      name: 'users_proxy_wallet_steps',
      expression: `(proxy_wallet_status = 'not_started') = (proxy_wallet_signature is null) and (proxy_wallet_signature is null) = (proxy_wallet_signed_at is null)`,
    },
  ],
  indexes: [
    { name: 'users_username_unique', expression: 'create unique index users_username_unique on users (lower(username))' },
    { name: 'users_by_username', expression: 'create index users_by_username on users using gin (username gin_trgm_ops)' },
    { name: 'users_by_address', expression: 'create index users_by_address on users using gin (address gin_trgm_ops)' },
    { name: 'users_by_email', expression: 'create index users_by_email on users using gin (email gin_trgm_ops)' },
    { name: 'users_newest', expression: 'create index users_newest on users (created_at desc nulls last, id)' },
  ],
  properties: {
    id: p.uuid().primary().defaultRaw('uuidv7()'),
    /** Primary wallet in lower case; never changes after the first sign-in. */
    address: p.text().unique(),
    username: p.text().nullable(),
    email: p.text().nullable(),
    emailVerified: p.boolean().default(false),
    imageUrl: p.text().default(''),
    bannedAt: p.datetime(3).nullable(),
    totalVolume: usdcColumn().default(0),
    totalTrades: p.integer().default(0),
    affiliateCode: p.text().unique(),
    proxyWalletAddress: p.text().nullable(),
    proxyWalletSignature: p.text().nullable(),
    proxyWalletStatus: p.enum(PROXY_WALLET_STATUSES).default('not_started'),
    proxyWalletSignedAt: p.datetime(3).nullable(),
    proxyWalletTxHash: p.text().nullable(),
    preferences: p.json<Record<string, unknown>>().default('{}'),
    createdAt: p.datetime(3).defaultRaw('now()'),
    updatedAt: p.datetime(3).defaultRaw('now()'),
  },
})

/** A member of the deployment. Volume in millionths of a USDC. */
export class User extends userSchema.class {}
userSchema.setClass(User)
