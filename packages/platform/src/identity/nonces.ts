import { randomBytes } from 'node:crypto'
import { tables } from '@augury/domain/platform/tables'
import type { RefusalCode } from '@augury/wire/refusals'
import type { EntityManager } from '@mikro-orm/postgresql'
import { hashOf } from '../crypto/token.ts'

/** Milliseconds for which a nonce is valid. */
const NONCE_LIFE = 300_000
const LENGTH = 32
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** 32 letters and digits: 190 random bits. Bytes beyond a multiple of the alphabet's size are rejected, so that no letter is likelier. */
function newNonce(): string {
  let nonce = ''
  while (nonce.length < LENGTH) {
    for (const byte of randomBytes(2 * LENGTH)) {
      if (byte < 4 * LETTERS.length && nonce.length < LENGTH) nonce += LETTERS[byte % LETTERS.length]
    }
  }
  return nonce
}

/** What a nonce may be used for: a wallet in lower case, and a chain. */
export interface Intended {
  walletAddress?: string | undefined
  chainId?: number | undefined
}

/** Creates a nonce bound to a browser's cookie, a wallet and a chain. Deletes a few expired ones. */
export async function createNonce(em: EntityManager, browser: string, intended: Intended, now: Date): Promise<string> {
  const nonce = newNonce()
  await em.execute(
    `with swept as (
       delete from sign_in_nonce where nonce in (
         select nonce from sign_in_nonce where expires_at < ? order by expires_at limit 4 for update skip locked))
     insert into sign_in_nonce (nonce, browser_hash, address, chain_id, expires_at) values (?, ?, ?, ?, ?)`,
    [
      new Date(now.getTime() - 10 * NONCE_LIFE),
      ...[nonce, hashOf(browser), intended.walletAddress ?? null, intended.chainId ?? null],
      new Date(now.getTime() + NONCE_LIFE),
    ],
  )
  return nonce
}

/**
 * Uses a nonce up for the browser that it was created for. Returns what it may be used for, or the refusal. Of two concurrent uses one
 * succeeds. Run it outside of a transaction: a nonce is used up by the first attempt, whatever becomes of that.
 */
export async function useNonce(em: EntityManager, nonce: string, browser: string | null, now: Date): Promise<Intended | RefusalCode> {
  if (browser === null) return 'nonce_unknown'
  const used = await tables(em)
    .updateTable('sign_in_nonce')
    .set({ used_at: now })
    .where('nonce', '=', nonce)
    .where('browser_hash', '=', hashOf(browser))
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['address', 'chain_id'])
    .executeTakeFirst()
  if (used) return { walletAddress: used.address ?? undefined, chainId: used.chain_id === null ? undefined : Number(used.chain_id) }
  const row = await tables(em)
    .selectFrom('sign_in_nonce')
    .select('used_at')
    .where('nonce', '=', nonce)
    .where('browser_hash', '=', hashOf(browser))
    .executeTakeFirst()
  if (!row) return 'nonce_unknown'
  return row.used_at === null ? 'nonce_expired' : 'nonce_used'
}
