import { defineEntity, p } from '@mikro-orm/core'
import { int8Column } from '../columns.ts'
import { User } from './user.entity.ts'

/** `contract`: a contract decides who signs for it, so it counts on one chain only. */
const WALLET_KINDS = ['key', 'contract'] as const

export const walletSchema = defineEntity({
  name: 'Wallet',
  tableName: 'wallet',
  checks: [
    { name: 'wallet_address_form', expression: `address ~ '^0x[0-9a-f]{40}$'` },
    { name: 'wallet_chain', expression: 'chain_id > 0' },
  ],
  indexes: [{ name: 'wallet_one_primary', expression: 'create unique index wallet_one_primary on wallet (user_id) where is_primary' }],
  properties: {
    /** In lower case. */
    address: p.text().primary(),
    user: () => p.manyToOne(User).deleteRule('cascade').index(),
    kind: p.enum(WALLET_KINDS).default('key'),
    /** Chain of the first sign-in. */
    chainId: int8Column(),
    isPrimary: p.boolean().default(true),
    createdAt: p.datetime(3).defaultRaw('now()'),
  },
})

/** A wallet that a member signed in with. */
export class Wallet extends walletSchema.class {}
walletSchema.setClass(Wallet)
