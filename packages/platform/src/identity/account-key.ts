import { tables } from '@augury/domain/platform/tables'
import type { EntityManager } from '@mikro-orm/postgresql'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { Vault } from '../crypto/vault.ts'

/** The vault entry of an account's key. */
export const accountKeyPlace = (user: string) => ({ user, field: 'account_key.secret' })

/** Makes the key of an account that is about to be opened. Its address becomes the account's. */
export const newAccountKey = (): { secret: `0x${string}`; address: `0x${string}` } => {
  const secret = generatePrivateKey()
  return { secret, address: privateKeyToAccount(secret).address.toLowerCase() as `0x${string}` }
}

/** Seals and stores the key of an account. */
export async function storeAccountKey(em: EntityManager, vault: Vault, user: string, secret: string, now: Date): Promise<void> {
  await tables(em)
    .insertInto('account_key')
    .values({ user_id: user, secret: vault.seal(secret, accountKeyPlace(user)), created_at: now })
    .execute()
}

/** The key of an account as a signer; null for an account whose key is in a wallet. */
export async function accountKeyOf(em: EntityManager, vault: Vault, user: string): Promise<PrivateKeyAccount | null> {
  const row = await tables(em).selectFrom('account_key').select('secret').where('user_id', '=', user).executeTakeFirst()
  return row ? privateKeyToAccount(vault.open(row.secret, accountKeyPlace(user)) as `0x${string}`) : null
}
