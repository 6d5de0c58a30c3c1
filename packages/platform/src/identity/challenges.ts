import { createHash, randomBytes } from 'node:crypto'
import { tables } from '@augury/domain/platform/tables'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { hashOf } from '../crypto/token.ts'

/** Milliseconds for which a challenge is valid. */
export const CHALLENGE_LIFE = 300_000
/** Bytes of a challenge: WebAuthn asks for at least 16. */
const LENGTH = 16

/** Who may answer a challenge: the browser with a cookie, or a session. */
export type Holder = { browser: string } | { session: string }

const hashOfHolder = (holder: Holder): Buffer => hashOf('browser' in holder ? `browser:${holder.browser}` : `session:${holder.session}`)

/**
 * Creates a challenge for one holder and one purpose. It is a hash of random bytes and the purpose, so that a signature over it was made for
 * this purpose alone. Deletes a few expired ones.
 */
export async function createChallenge(em: EntityManager, holder: Holder, purpose: string, now: Date): Promise<Buffer> {
  const challenge = createHash('sha256').update(randomBytes(32)).update(purpose).digest().subarray(0, LENGTH)
  const db = tables(em)
  await db
    .with('swept', (query) =>
      query.deleteFrom('passkey_challenge').where('challenge', 'in', (eb) =>
        eb
          .selectFrom('passkey_challenge')
          .select('challenge')
          .where('expires_at', '<', new Date(now.getTime() - 10 * CHALLENGE_LIFE))
          .orderBy('expires_at')
          .limit(4)
          .forUpdate()
          .skipLocked(),
      ),
    )
    .insertInto('passkey_challenge')
    .values({ challenge, holder_hash: hashOfHolder(holder), purpose, expires_at: new Date(now.getTime() + CHALLENGE_LIFE) })
    .execute()
  return challenge
}

/**
 * Uses a challenge up and returns its purpose; null where this holder has none that is valid and unused. Of two concurrent uses one succeeds.
 * Run it outside of a transaction: the first attempt uses it up, whatever becomes of that.
 */
export async function takeChallenge(em: EntityManager, challenge: Buffer, holder: Holder, now: Date): Promise<string | null> {
  const taken = await tables(em)
    .updateTable('passkey_challenge')
    .set({ used_at: now })
    .where('challenge', '=', challenge)
    .where('holder_hash', '=', hashOfHolder(holder))
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('purpose')
    .executeTakeFirst()
  return taken?.purpose ?? null
}

/** The nonce by which a wallet's message names a challenge. */
export const nonceOf = (challenge: Buffer): string => challenge.toString('hex')

/** The challenge of a nonce; null for a text of another form. */
export const challengeOf = (nonce: string): Buffer | null => (/^[0-9a-f]{32}$/.test(nonce) ? Buffer.from(nonce, 'hex') : null)

/** Locks a member, so that changes of the ways in are made one after another. */
export async function lockMember(em: EntityManager, userId: string): Promise<void> {
  await tables(em).selectFrom('users').select(sql<number>`1`.as('one')).where('id', '=', userId).forNoKeyUpdate().execute()
}
