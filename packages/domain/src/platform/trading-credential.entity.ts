import { defineEntity, p } from '@mikro-orm/core'
import { User } from './user.entity.ts'

/** What a set of trading credentials is for. */
export const CREDENTIAL_SETS = ['clob', 'relayer'] as const

export const tradingCredentialSchema = defineEntity({
  name: 'TradingCredential',
  tableName: 'trading_credential',
  checks: [
    { name: 'trading_credential_address_form', expression: `address ~ '^0x[0-9a-f]{40}$'` },
    { name: 'trading_credential_is_sealed', expression: `secret ~ '^v1[.]' and passphrase ~ '^v1[.]'` },
    { name: 'trading_credential_key_length', expression: 'length(key) >= 1 and length(key) <= 128' },
  ],
  properties: {
    user: () => p.manyToOne(User).primary().deleteRule('cascade'),
    set: p.enum(CREDENTIAL_SETS).primary(),
    /** Account at the exchange, in lower case. */
    address: p.text(),
    /** Public identifier. */
    key: p.text(),
    /** Encrypted by the vault, as is the passphrase. */
    secret: p.text(),
    passphrase: p.text(),
    updatedAt: p.datetime(3),
    /** When they could not be decrypted or were no longer accepted; null while they are valid. */
    brokenAt: p.datetime(3).nullable(),
  },
})

/** A member's credentials at the exchange. */
export class TradingCredential extends tradingCredentialSchema.class {}
tradingCredentialSchema.setClass(TradingCredential)
