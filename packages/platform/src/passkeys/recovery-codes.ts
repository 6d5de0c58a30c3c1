import { tables } from '@augury/domain/platform/tables'
import { ServiceError } from '@augury/wire/service-error'
import type { EntityManager } from '@mikro-orm/postgresql'
import { hashOf } from '../crypto/token.ts'
import { newRecoveryCode, readRecoveryCode } from '../identity/recovery-codes.ts'

const COUNT = 10

/** The code alone finds its account: who has lost every passkey may know neither name nor address. */
const hashOfCode = (code: string): Buffer => hashOf(`account:${readRecoveryCode(code)}`)

/** Codes of a member that are still good; those sent by e-mail do not count. */
export async function countCodes(em: EntityManager, userId: string): Promise<number> {
  const { count } = await tables(em)
    .selectFrom('account_recovery')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('user_id', '=', userId)
    .where('expires_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Replaces a member's recovery codes and returns them; only hashes are stored. */
export async function renewCodes(em: EntityManager, userId: string): Promise<string[]> {
  const codes = Array.from({ length: COUNT }, newRecoveryCode)
  await tables(em).deleteFrom('account_recovery').where('user_id', '=', userId).where('expires_at', 'is', null).execute()
  await tables(em)
    .insertInto('account_recovery')
    .values(codes.map((code) => ({ user_id: userId, code_hash: hashOfCode(code) })))
    .execute()
  return codes
}

/** Creates a code that is valid until a time, in place of an earlier one of this kind. */
export async function createTimedCode(em: EntityManager, userId: string, until: Date): Promise<string> {
  const code = newRecoveryCode()
  await tables(em).deleteFrom('account_recovery').where('user_id', '=', userId).where('expires_at', 'is not', null).execute()
  await tables(em)
    .insertInto('account_recovery')
    .values({ user_id: userId, code_hash: hashOfCode(code), expires_at: until })
    .execute()
  return code
}

/** The member of a code, which stays good. Throws `recovery_code_invalid`. */
export async function findByCode(em: EntityManager, code: string, now: Date): Promise<string> {
  const found = await tables(em)
    .selectFrom('account_recovery')
    .select('user_id')
    .where('code_hash', '=', hashOfCode(code))
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .executeTakeFirst()
  if (!found) throw new ServiceError('recovery_code_invalid')
  return found.user_id
}

/** Uses a code up. Returns its member, and whether it was sent by e-mail. Throws `recovery_code_invalid`. */
export async function useCode(em: EntityManager, code: string, now: Date): Promise<{ userId: string; emailed: boolean }> {
  const used = await tables(em)
    .deleteFrom('account_recovery')
    .where('code_hash', '=', hashOfCode(code))
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .returning(['user_id', 'expires_at'])
    .executeTakeFirst()
  if (!used) throw new ServiceError('recovery_code_invalid')
  return { userId: used.user_id, emailed: used.expires_at !== null }
}
