import { randomBytes } from 'node:crypto'
import { tables } from '@augury/domain/platform/tables'
import { ServiceError } from '@augury/wire/service-error'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { SignedBy } from './wallet-signature.ts'

/** A wallet whose signature was just verified. Address in lower case. */
export interface ProvenWallet {
  address: string
  kind: SignedBy
  chainId: number
}

/** The user of a wallet. */
export interface WalletOwner {
  userId: string
  isNew: boolean
  /** Whether the second factor is on. */
  twoFactor: boolean
}

/**
 * The user of a wallet, created with it at the first sign-in. Two concurrent first sign-ins create one user. Throws `chain_not_allowed`.
 */
export async function memberOf(em: EntityManager, wallet: ProvenWallet, now: Date): Promise<WalletOwner> {
  const known = await findOwner(em, wallet)
  if (known) return known
  const created = await tables(em)
    .insertInto('users')
    .values({ address: wallet.address, affiliate_code: newAffiliateCode(), created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.column('address').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!created) {
    const other = await findOwner(em, wallet)
    if (!other) throw new Error('a user without its primary wallet')
    return other
  }
  await tables(em)
    .insertInto('wallet')
    .values({
      address: wallet.address,
      user_id: created.id,
      kind: wallet.kind,
      chain_id: wallet.chainId,
      is_primary: true,
      created_at: now,
    })
    .execute()
  return { userId: created.id, isNew: true, twoFactor: false }
}

/** A contract wallet may have other signers on another chain, so its chain has to be the same as at the first sign-in. */
async function findOwner(em: EntityManager, { address, kind, chainId }: ProvenWallet): Promise<WalletOwner | null> {
  const wallet = await tables(em)
    .selectFrom('wallet')
    .select(['user_id', 'kind', 'chain_id'])
    .where('address', '=', address)
    .executeTakeFirst()
  if (!wallet) return null
  const { user_id: userId } = wallet
  if (kind === 'contract' && wallet.kind === 'contract' && Number(wallet.chain_id) !== chainId) throw new ServiceError('chain_not_allowed')
  return { userId, isNew: false, twoFactor: await hasSecondFactor(em, userId) }
}

/**
 * Whether the second factor of a member who is signing in is on. Orders the sign-in before or after a concurrent activation, which ends earlier
 * sessions.
 */
export async function hasSecondFactor(em: EntityManager, userId: string): Promise<boolean> {
  await tables(em).selectFrom('users').select('id').where('id', '=', userId).forShare().execute()
  const confirmed = await tables(em)
    .selectFrom('two_factor')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .execute()
  return confirmed.length > 0
}

/** About 50 random bits as ten characters for a link. */
export const newAffiliateCode = (): string =>
  BigInt(`0x${randomBytes(8).toString('hex')}`)
    .toString(36)
    .padStart(10, '0')
    .slice(-10)
