import { randomInt } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { hashOf } from '../crypto/token.ts'

const COUNT = 10
const GROUPS = 5
/** Alphabet without letters that look like digits. */
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz'

/** 125 random bits in five groups of five. */
const newCode = (): string =>
  Array.from({ length: GROUPS }, () => Array.from({ length: 5 }, () => LETTERS[randomInt(LETTERS.length)]).join('')).join('-')

/** Normalises a code as typed by a person. */
const hashFor = (userId: string, code: string): Buffer => hashOf(`${userId}:${code.toLowerCase().replace(/[^0-9a-z]/g, '')}`)

/** Replaces a user's recovery codes and returns them; only hashes are stored. */
export async function renewRecoveryCodes(em: EntityManager, userId: string): Promise<string[]> {
  const codes = Array.from({ length: COUNT }, newCode)
  await em.execute('delete from recovery_code where user_id = ?', [userId])
  const rows = codes.flatMap((code) => [userId, hashFor(userId, code)])
  await em.execute(`insert into recovery_code (user_id, code_hash) values ${codes.map(() => '(?, ?)').join(', ')}`, rows)
  return codes
}

/** Uses a recovery code up; false when the user does not have it. */
export async function useRecoveryCode(em: EntityManager, userId: string, code: string): Promise<boolean> {
  const used = await em.execute('delete from recovery_code where user_id = ? and code_hash = ? returning user_id', [
    userId,
    hashFor(userId, code),
  ])
  return used.length === 1
}
