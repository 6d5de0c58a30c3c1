import { randomBytes } from 'node:crypto'
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
  const [created]: { id: string }[] = await em.execute(
    'insert into users (address, affiliate_code, created_at, updated_at) values (?, ?, ?, ?) on conflict (address) do nothing returning id',
    [wallet.address, newAffiliateCode(), now, now],
  )
  if (!created) {
    const other = await findOwner(em, wallet)
    if (!other) throw new Error('a user without its primary wallet')
    return other
  }
  await em.execute('insert into wallet (address, user_id, kind, chain_id, is_primary, created_at) values (?, ?, ?, ?, true, ?)', [
    wallet.address,
    created.id,
    wallet.kind,
    wallet.chainId,
    now,
  ])
  return { userId: created.id, isNew: true, twoFactor: false }
}

/** A contract wallet may have other signers on another chain, so its chain has to be the same as at the first sign-in. */
async function findOwner(em: EntityManager, { address, kind, chainId }: ProvenWallet): Promise<WalletOwner | null> {
  const [wallet]: { user_id: string; kind: SignedBy; chain_id: string }[] = await em.execute(
    'select user_id, kind, chain_id from wallet where address = ?',
    [address],
  )
  if (!wallet) return null
  const { user_id: userId } = wallet
  if (kind === 'contract' && wallet.kind === 'contract' && Number(wallet.chain_id) !== chainId) throw new ServiceError('chain_not_allowed')
  // Orders this sign-in before or after a concurrent activation of the second factor, which ends earlier sessions.
  await em.execute('select from users where id = ? for share', [userId])
  const confirmed = await em.execute('select from two_factor where user_id = ? and confirmed_at is not null', [userId])
  return { userId, isNew: false, twoFactor: confirmed.length > 0 }
}

/** About 50 random bits as ten characters for a link. */
const newAffiliateCode = (): string =>
  BigInt(`0x${randomBytes(8).toString('hex')}`)
    .toString(36)
    .padStart(10, '0')
    .slice(-10)
