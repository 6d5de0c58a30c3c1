import { defineEntity, p } from '@mikro-orm/core'
import { seqColumn, usdcColumn } from '../../columns.ts'

// What a settler keeps of a chain. It alone writes these tables, but for `address`, `wallet` and `claim`, where the site adds what members ask for.
// Addresses, hashes and calldata are lower-case hex.

export const intentSchema = defineEntity({
  name: 'ChainIntent',
  tableName: 'intent',
  schema: 'chain',
  checks: [
    { name: 'intent_nonce', expression: 'nonce >= 0 and gas > 0' },
    { name: 'intent_booked', expression: '(booked_number is null) = (booked_hash is null)' },
  ],
  indexes: [
    { name: 'intent_to_book', expression: 'create index intent_to_book on chain.intent (nonce) where booked_number is null' },
    {
      name: 'intent_by_booking',
      expression: 'create index intent_by_booking on chain.intent (booked_number desc, nonce desc) where booked_number is not null',
    },
    { name: 'intent_by_purpose', expression: 'create index intent_by_purpose on chain.intent using gin (purpose jsonb_path_ops)' },
  ],
  properties: {
    nonce: p.integer().primary().autoincrement(false),
    /** A `Purpose` of packages/chain. */
    purpose: p.json<unknown>(),
    to: p.text(),
    data: p.text(),
    gas: p.integer(),
    /** `Version`s of packages/chain, oldest first; wei as text. */
    versions: p.json<unknown[]>(),
    mined: p.boolean().default(false),
    /** The confirmed block at which its outcome was acted upon. */
    bookedNumber: p.integer().nullable(),
    bookedHash: p.text().nullable(),
    createdAt: p.datetime(3).defaultRaw('now()'),
  },
})

/** A transaction of the settler's key. */
export class ChainIntent extends intentSchema.class {}
intentSchema.setClass(ChainIntent)

export const depositSchema = defineEntity({
  name: 'ChainDeposit',
  tableName: 'deposit',
  schema: 'chain',
  checks: [
    { name: 'deposit_number', expression: 'n > 0' },
    { name: 'deposit_amount', expression: 'amount > 0 and total >= amount' },
    { name: 'deposit_addresses', expression: `account ~ '^0x[0-9a-f]{40}$' and sender ~ '^0x[0-9a-f]{40}$'` },
  ],
  indexes: [{ name: 'deposit_by_account', expression: 'create index deposit_by_account on chain.deposit (account, n desc)' }],
  properties: {
    /** The vault's number, from 1. */
    n: p.integer().primary().autoincrement(false),
    account: p.text(),
    sender: p.text(),
    amount: usdcColumn(),
    /** Sum of all deposits up to this one, as the vault keeps it. */
    total: usdcColumn(),
    blockNumber: p.integer(),
    blockHash: p.text(),
    transaction: p.text(),
    /** The reference under which the exchange had credited it already: of a credit by hand that a sandbox's settler backed. */
    backs: p.text().nullable().unique('deposit_backs'),
    creditedAt: p.datetime(3).defaultRaw('now()'),
  },
})

/** A deposit that the exchange credited. Amounts in millionths. */
export class ChainDeposit extends depositSchema.class {}
depositSchema.setClass(ChainDeposit)

export const arrivalSchema = defineEntity({
  name: 'ChainArrival',
  tableName: 'arrival',
  schema: 'chain',
  checks: [{ name: 'arrival_amount', expression: 'amount > 0 and confirmations >= 0' }],
  indexes: [{ name: 'arrival_by_account', expression: 'create index arrival_by_account on chain.arrival (account)' }],
  properties: {
    id: p.uuid().primary().defaultRaw('uuidv7()'),
    account: p.text(),
    amount: usdcColumn(),
    /** The vault's number; null for money that lies on a deposit address and is not swept yet. */
    n: p.integer().nullable(),
    transaction: p.text().nullable(),
    blockNumber: p.integer().nullable(),
    /** Blocks on top of its own. */
    confirmations: p.integer(),
    seenAt: p.datetime(3).defaultRaw('now()'),
  },
})

/** Money that is on the chain and not credited yet, as the last round saw it. */
export class ChainArrival extends arrivalSchema.class {}
arrivalSchema.setClass(ChainArrival)

export const addressSchema = defineEntity({
  name: 'ChainAddress',
  tableName: 'address',
  schema: 'chain',
  checks: [{ name: 'address_account', expression: `account ~ '^0x[0-9a-f]{40}$'` }],
  properties: {
    account: p.text().primary(),
    askedAt: p.datetime(3).defaultRaw('now()'),
  },
})

/** An account whose deposit address the settler looks at. */
export class ChainAddress extends addressSchema.class {}
addressSchema.setClass(ChainAddress)

/** `failed`: the transaction was mined, and there is no wallet. */
export const CHAIN_WALLET_STATES = ['asked', 'sent', 'deployed', 'failed'] as const

export const walletSchema = defineEntity({
  name: 'ChainWallet',
  tableName: 'wallet',
  schema: 'chain',
  checks: [{ name: 'chain_wallet_owner', expression: `owner ~ '^0x[0-9a-f]{40}$'` }],
  indexes: [
    { name: 'wallet_to_deploy', expression: `create index wallet_to_deploy on chain.wallet (asked_at) where state in ('asked', 'sent')` },
  ],
  properties: {
    owner: p.text().primary(),
    /** The owner's signature of the request. */
    signature: p.text(),
    askedAt: p.datetime(3).defaultRaw('now()'),
    state: p.enum(CHAIN_WALLET_STATES).default('asked'),
    transaction: p.text().nullable(),
  },
})

/** A proxy wallet (a Safe) that a member asked for. */
export class ChainWallet extends walletSchema.class {}
walletSchema.setClass(ChainWallet)

export const rootSchema = defineEntity({
  name: 'ChainRoot',
  tableName: 'root',
  schema: 'chain',
  checks: [{ name: 'root_number', expression: 'n > 0 and custody >= 0' }],
  indexes: [{ name: 'root_by_hash', expression: 'create index root_by_hash on chain.root (hash)' }],
  properties: {
    /** The vault's number. */
    n: p.integer().primary().autoincrement(false),
    /** SHA-256 of the exchange's signed text: by it a signed root is found, because the exchange's own numbers may differ. */
    hash: p.text(),
    root: p.text(),
    seq: seqColumn(),
    custody: usdcColumn(),
    transaction: p.text(),
    blockNumber: p.integer(),
    postedAt: p.datetime(3),
  },
})

/** A root that a confirmed block of the chain shows. */
export class ChainRoot extends rootSchema.class {}
rootSchema.setClass(ChainRoot)

export const cursorSchema = defineEntity({
  name: 'ChainCursor',
  tableName: 'cursor',
  schema: 'chain',
  properties: {
    name: p.text().primary(),
    value: p.json<unknown>(),
  },
})

/** Where a settler stands: its next nonce, the scanned block, its lease. */
export class ChainCursor extends cursorSchema.class {}
cursorSchema.setClass(ChainCursor)

/** `member`: its money goes back to the account. `settler`: a payment was or will be sent. */
export const CLAIM_HOLDERS = ['member', 'settler'] as const

export const claimSchema = defineEntity({
  name: 'ChainClaim',
  tableName: 'claim',
  schema: 'chain',
  properties: {
    /** The exchange's reference of the withdrawal. */
    ref: p.text().primary(),
    holder: p.enum(CLAIM_HOLDERS),
    at: p.datetime(3).defaultRaw('now()'),
  },
})

/** Decides what becomes of a withdrawal whose money is set aside: the first claim wins and is never changed. The site writes the members' claims. */
export class ChainClaim extends claimSchema.class {}
claimSchema.setClass(ChainClaim)

export const statusSchema = defineEntity({
  name: 'ChainStatus',
  tableName: 'status',
  schema: 'chain',
  checks: [{ name: 'status_only_one', expression: 'id = 1' }],
  properties: {
    id: p.smallint().primary().autoincrement(false),
    /** A `chainStatus` of packages/wire. */
    status: p.json<unknown>(),
    updatedAt: p.datetime(3).defaultRaw('now()'),
  },
})

/** What the settler says of the chain and of itself after a round: one row. */
export class ChainStatus extends statusSchema.class {}
statusSchema.setClass(ChainStatus)
