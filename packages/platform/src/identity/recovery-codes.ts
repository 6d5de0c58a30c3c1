import { randomInt } from 'node:crypto'
import { tables } from '@augury/domain/platform/tables'
import type { EntityManager } from '@mikro-orm/postgresql'
import { hashOf } from '../crypto/token.ts'

const COUNT = 10
const GROUPS = 5
/** Alphabet without letters that look like digits. */
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz'

/** 125 random bits in five groups of five. */
export const newRecoveryCode = (): string =>
  Array.from({ length: GROUPS }, () => Array.from({ length: 5 }, () => LETTERS[randomInt(LETTERS.length)]).join('')).join('-')

/** Normalises a code as typed by a person. */
export const readRecoveryCode = (code: string): string => code.toLowerCase().replace(/[^0-9a-z]/g, '')
const hashFor = (userId: string, code: string): Buffer => hashOf(`${userId}:${readRecoveryCode(code)}`)

/** Replaces a user's recovery codes and returns them; only hashes are stored. */
export async function renewRecoveryCodes(em: EntityManager, userId: string): Promise<string[]> {
  const codes = Array.from({ length: COUNT }, newRecoveryCode)
  await tables(em).deleteFrom('recovery_code').where('user_id', '=', userId).execute()
  await tables(em)
    .insertInto('recovery_code')
    .values(codes.map((code) => ({ user_id: userId, code_hash: hashFor(userId, code) })))
    .execute()
  return codes
}

/** Uses a recovery code up; false when the user does not have it. */
export async function useRecoveryCode(em: EntityManager, userId: string, code: string): Promise<boolean> {
  const used = await tables(em)
    .deleteFrom('recovery_code')
    .where('user_id', '=', userId)
    .where('code_hash', '=', hashFor(userId, code))
    .returning('user_id')
    .execute()
  return used.length === 1
}
