import { defineEntity, p } from '@mikro-orm/core'

export const sealedSettingSchema = defineEntity({
  name: 'SealedSetting',
  tableName: 'sealed_setting',
  checks: [
    { name: 'sealed_setting_name', expression: `name ~ '^[a-z]+[.][a-zA-Z]+$'` },
    { name: 'sealed_setting_is_sealed', expression: `sealed ~ '^v1[.]'` },
  ],
  properties: {
    /** Group and name. */
    name: p.text().primary(),
    sealed: p.text(),
    changedAt: p.datetime(3),
  },
})

/** A secret setting, encrypted by the vault. */
export class SealedSetting extends sealedSettingSchema.class {}
sealedSettingSchema.setClass(SealedSetting)
