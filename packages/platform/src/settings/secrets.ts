import { tables } from '@augury/domain/platform/tables'
import type { EntityManager } from '@mikro-orm/postgresql'
import { type Place, type Vault, VaultError } from '../crypto/vault.ts'

/** Name of a secret of the settings. */
export type SecretName = 'ai.apiKey' | 'swap.apiKey'

/** Place of a setting's secret in the vault: it belongs to the site, not to a member. */
export const settingPlace = (name: string): Place => ({ user: 'site', field: `sealed_setting.${name}` })

/** What admins see of a secret. */
export interface Masked {
  set: boolean
  masked: string
  changed_at: string | null
}

/** Of shorter secrets not even the last characters are shown. */
const SHOW_END_FROM = 16

/** A secret in clear; null when it is not set. Throws `VaultError` when its key is missing. */
export async function secretOf(em: EntityManager, vault: Vault, name: SecretName): Promise<string | null> {
  const row = await tables(em).selectFrom('sealed_setting').select('sealed').where('name', '=', name).executeTakeFirst()
  return row ? vault.open(row.sealed, settingPlace(name)) : null
}

/** A secret as admins see it. */
export async function maskedSecret(em: EntityManager, vault: Vault, name: SecretName): Promise<Masked> {
  const row = await tables(em).selectFrom('sealed_setting').select(['sealed', 'changed_at']).where('name', '=', name).executeTakeFirst()
  if (!row) return { set: false, masked: '', changed_at: null }
  return { set: true, masked: `••••${endOf(vault, name, row.sealed)}`, changed_at: row.changed_at.toISOString() }
}

/** The last characters of a secret; none of one whose key is missing, which admins still replace or remove. */
function endOf(vault: Vault, name: SecretName, sealed: string): string {
  try {
    const secret = vault.open(sealed, settingPlace(name))
    return secret.length >= SHOW_END_FROM ? secret.slice(-4) : ''
  } catch (error) {
    if (!(error instanceof VaultError)) throw error
    return ''
  }
}

/** Sets a secret; null removes it, and an empty text keeps it. Returns whether anything changed. */
export async function setSecret(em: EntityManager, vault: Vault, name: SecretName, secret: string | null, now: Date): Promise<boolean> {
  if (secret === '') return false
  if (secret === null)
    return (await tables(em).deleteFrom('sealed_setting').where('name', '=', name).returning('name').execute()).length > 0
  await tables(em)
    .insertInto('sealed_setting')
    .values({ name, sealed: vault.seal(secret, settingPlace(name)), changed_at: now })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((eb) => ({ sealed: eb.ref('excluded.sealed'), changed_at: eb.ref('excluded.changed_at') })),
    )
    .execute()
  return true
}
