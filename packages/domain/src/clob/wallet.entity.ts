import { defineEntity, p } from '@mikro-orm/core'
import { hexColumn } from '../columns.ts'
import { bytesCheck } from './fact.ts'

const schema = defineEntity({
  name: 'Wallet',
  tableName: 'wallet',
  checks: [
    { name: 'wallet_addresses', expression: `${bytesCheck(20, 'address', 'owner')} and address <> owner` },
    { name: 'wallet_signature_type', expression: 'signature_type between 1 and 3' },
  ],
  properties: {
    address: hexColumn().primary(),
    /** The account: the address that signs for itself. */
    owner: hexColumn().index(),
    /** 1 proxy, 2 safe, 3 deposit wallet. */
    signatureType: p.smallint(),
    createdAt: p.datetime(3).defaultRaw('now()'),
  },
})

/** A wallet whose orders are signed by its owner's key: an alias of the owner's account. */
export class Wallet extends schema.class {}
schema.setClass(Wallet)
