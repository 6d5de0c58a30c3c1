import { tables } from '@augury/domain/platform/tables'
import { isDuplicate } from '@augury/domain/refused'
import type { Input } from '@augury/wire/operation'
import type { passkeyOperations, WaysIn } from '@augury/wire/platform/passkeys'
import { ServiceError } from '@augury/wire/service-error'
import type { EntityManager } from '@mikro-orm/postgresql'
import { getAddress } from 'viem'
import { audit } from '../authorization/audit.ts'
import type { Member } from '../authorization/viewer.ts'
import { requireApproval } from '../identity/approval.ts'
import { lockMember } from '../identity/challenges.ts'
import { useNonce } from '../identity/nonces.ts'
import { ownOrigins } from '../identity/own-origins.ts'
import { endOtherSessions } from '../identity/sessions.ts'
import { messageProblem, nonceIn, readMessage, signInChains } from '../identity/sign-in-message.ts'
import { walletSignature } from '../identity/wallet-signature.ts'
import { notify } from '../notifications/notify.ts'
import type { Site } from '../site/site.ts'
import { countOtherWays, walletsOf, waysInOf } from './ways-in.ts'

type Operations = typeof passkeyOperations

/** Most wallets of a member. */
const WALLETS = 10

/** Links a wallet that signed a message to the account. Throws the refusals of the proof, `wallet_refused`, `wallet_known` and `too_many_wallets`. */
export async function linkWallet(site: Site, member: Member, { body }: Pick<Input<Operations['linkWallet']>, 'body'>): Promise<WaysIn> {
  const { address, kind, chainId } = await provenWallet(site, member, body)
  await requireApproval(site, member, { action: 'link_wallet', address }, body.approval)
  const now = site.now()
  try {
    return await site.em().transactional(async (em) => {
      await lockMember(em, member.id)
      const owner = await tables(em).selectFrom('users').select('id').where('address', '=', address).execute()
      if (owner.length > 0) throw new ServiceError('wallet_known')
      if ((await walletsOf(em, member.id)).length >= WALLETS) throw new ServiceError('too_many_wallets')
      await tables(em)
        .insertInto('wallet')
        .values({ address, user_id: member.id, kind, chain_id: chainId, is_primary: false, created_at: now })
        .execute()
      await note(em, member, 'wallet_linked', address, now)
      return waysInOf(em, member.id)
    })
  } catch (error) {
    if (isDuplicate(error)) throw new ServiceError('wallet_known', { cause: error })
    throw error
  }
}

async function provenWallet(site: Site, member: Member, { message: text, signature }: { message: string; signature: string }) {
  const { settings } = site
  const message = readMessage(text)
  const intended = await useNonce(site.em(), message?.nonce ?? nonceIn(text), member.visit.cookie('signIn'), site.now())
  const policy = { origins: ownOrigins(settings), chains: signInChains(settings), now: site.now() }
  if (!message || typeof intended === 'string' || messageProblem(text, message, policy)) throw new ServiceError('wallet_refused')
  const kind = await walletSignature(message, signature, settings)
  if (!kind) throw new ServiceError('wallet_refused')
  return { address: message.address.toLowerCase() as `0x${string}`, kind, chainId: message.chainId }
}

/** Removes a linked wallet and ends the other sessions. Throws the refusals of the proof, `wallet_not_linked` and `last_way_in`. */
export async function unlinkWallet(site: Site, member: Member, { body }: Pick<Input<Operations['unlinkWallet']>, 'body'>): Promise<WaysIn> {
  const { address } = body
  await requireApproval(site, member, { action: 'unlink_wallet', address }, body.approval)
  const now = site.now()
  return site.em().transactional(async (em) => {
    await lockMember(em, member.id)
    if ((await countOtherWays(em, member.id, { wallet: address })) === 0) throw new ServiceError('last_way_in')
    const removed = await tables(em)
      .deleteFrom('wallet')
      .where('address', '=', address)
      .where('user_id', '=', member.id)
      .where('is_primary', '=', false) // the account's own wallet is its key
      .returning('address')
      .execute()
    if (removed.length === 0) throw new ServiceError('wallet_not_linked')
    await endOtherSessions(em, member.id, member.session)
    await note(em, member, 'wallet_unlinked', address, now)
    return waysInOf(em, member.id)
  })
}

async function note(em: EntityManager, member: Member, kind: 'wallet_linked' | 'wallet_unlinked', address: `0x${string}`, now: Date) {
  await audit(em, { action: kind, actor: member.id, subject: member.id, visit: member.visit, details: { wallet: address } }, now)
  const wallet = getAddress(address)
  await notify(em, member.id, {
    source: `${kind}:${address}:${now.toISOString()}`,
    category: 'system',
    kind,
    title: kind === 'wallet_linked' ? 'A wallet was linked' : 'A wallet was removed',
    description:
      kind === 'wallet_linked'
        ? `${wallet} can sign you in now. If this was not you, remove it and end your other sessions.`
        : `${wallet} no longer signs you in, and other devices were signed out.`,
    metadata: { wallet },
    link: { type: 'settings', target: 'security' },
    at: now,
  })
}
