import { tables } from '@augury/domain/platform/tables'
import type { EntityManager } from '@mikro-orm/postgresql'
import { type Place, type Vault, VaultError } from '../crypto/vault.ts'
import { settingPlace } from '../settings/secrets.ts'
import type { Platform } from '../site/platform.ts'
import { accountKeyPlace } from './account-key.ts'
import { secretPlace } from './second-factor.ts'
import { type CredentialSet, credentialPlace } from './stored-credentials.ts'

/** Rows locked at a time. */
const BATCH = 100
const FIRST = '00000000-0000-0000-0000-000000000000'

/** Number of values sealed anew, of values that were up to date, and of values that no key of the ring opens. */
export interface Resealed {
  resealed: number
  current: number
  unreadable: number
}

interface Sealed {
  place: Place
  value: string
  write(em: EntityManager, value: string): Promise<unknown>
}

interface Table {
  /** The next rows after a member's id, in order, locked. */
  read(em: EntityManager, after: string): Promise<{ user_id: string }[]>
  sealed(row: never): Sealed[]
}

/** A table with one secret a member. */
const secrets = (table: 'two_factor' | 'account_key', placeOf: (userId: string) => Place): Table => ({
  read: (em, after) =>
    tables(em)
      .selectFrom(table)
      .select(['user_id', 'secret'])
      .where('user_id', '>', after)
      .orderBy('user_id')
      .limit(BATCH)
      .forUpdate()
      .execute(),
  sealed: ({ user_id, secret }: { user_id: string; secret: string }) => [
    {
      place: placeOf(user_id),
      value: secret,
      write: (em, value) => tables(em).updateTable(table).set({ secret: value }).where('user_id', '=', user_id).execute(),
    },
  ],
})

const credentials = (set: CredentialSet): Table => ({
  read: (em, after) =>
    tables(em)
      .selectFrom('trading_credential')
      .select(['user_id', 'secret', 'passphrase'])
      .where('set', '=', set)
      .where('user_id', '>', after)
      .orderBy('user_id')
      .limit(BATCH)
      .forUpdate()
      .execute(),
  sealed: (row: { user_id: string; secret: string; passphrase: string }) =>
    (['secret', 'passphrase'] as const).map((field) => ({
      place: credentialPlace(row.user_id, set, field),
      value: row[field],
      write: (em, value) =>
        tables(em).updateTable('trading_credential').set(field, value).where('user_id', '=', row.user_id).where('set', '=', set).execute(),
    })),
})

/** All sealed values of members. */
const TABLES: readonly Table[] = [
  secrets('two_factor', secretPlace),
  secrets('account_key', accountKeyPlace),
  credentials('clob'),
  credentials('relayer'),
]

/** Secrets of the settings are few and done in one transaction. */
async function resealSettings(em: EntityManager, vault: Vault, done: Resealed): Promise<void> {
  const rows = await tables(em).selectFrom('sealed_setting').select(['name', 'sealed']).orderBy('name').forUpdate().execute()
  for (const { name, sealed } of rows) {
    const write = (each: EntityManager, value: string) =>
      tables(each).updateTable('sealed_setting').set({ sealed: value }).where('name', '=', name).execute()
    done[await resealOne(em, vault, { place: settingPlace(name), value: sealed, write })]++
  }
}

/**
 * Seals every value anew that another key than the first of the ring sealed, while the site runs. Values that do not open stay as they are.
 */
export async function reseal(platform: Platform, vault: Vault): Promise<Resealed> {
  const done: Resealed = { resealed: 0, current: 0, unreadable: 0 }
  for (const table of TABLES) {
    for (let after: string | undefined = FIRST; after !== undefined; ) {
      const from: string = after
      after = await platform.em().transactional(async (em) => {
        const rows = await table.read(em, from)
        for (const row of rows) for (const each of table.sealed(row as never)) done[await resealOne(em, vault, each)]++
        return rows.at(-1)?.user_id
      })
    }
  }
  await platform.em().transactional((em) => resealSettings(em, vault, done))
  return done
}

async function resealOne(em: EntityManager, vault: Vault, { place, value, write }: Sealed): Promise<keyof Resealed> {
  try {
    // Opened even when the id of its key is the first one's: where ids were given to other keys, the last key that opens it would be removed.
    const secret = vault.open(value, place)
    if (!vault.isOutdated(value)) return 'current'
    await write(em, vault.seal(secret, place))
    return 'resealed'
  } catch (error) {
    if (!(error instanceof VaultError)) throw error
    return 'unreadable'
  }
}
