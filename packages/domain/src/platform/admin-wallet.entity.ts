import { defineEntity, p } from '@mikro-orm/core'
import { User } from './user.entity.ts'

export const adminWalletSchema = defineEntity({
  name: 'AdminWallet',
  tableName: 'admin_wallet',
  checks: [{ name: 'admin_wallet_address_form', expression: `address ~ '^0x[0-9a-f]{40}$'` }],
  properties: {
    /** In lower case. */
    address: p.text().primary(),
    /** The admin who added it; null when added by the link of the first start. */
    addedBy: () => p.manyToOne(User).nullable().deleteRule('set null').index(),
    createdAt: p.datetime(3),
  },
})

/** A wallet whose member is an admin, in addition to those in the settings. Read for every request. */
export class AdminWallet extends adminWalletSchema.class {}
adminWalletSchema.setClass(AdminWallet)
