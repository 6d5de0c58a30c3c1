import { defineEntity, p } from '@mikro-orm/core'
import { User } from './user.entity.ts'

const schema = defineEntity({
  name: 'AdminWallet',
  tableName: 'admin_wallet',
  checks: [{ name: 'admin_wallet_address_form', expression: `address ~ '^0x[0-9a-f]{40}$'` }],
  properties: {
    /** In lower case. */
    address: p.text().primary(),
    /** The admin who let it in; null for one that came by the link of the first start. */
    addedBy: () => p.manyToOne(User).nullable().deleteRule('set null').index(),
    createdAt: p.datetime(3),
  },
})

/** A wallet whose member is an admin, beside those that the settings name. Read for every request. */
export class AdminWallet extends schema.class {}
schema.setClass(AdminWallet)
