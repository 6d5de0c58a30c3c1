import { tables } from '@augury/domain/platform/tables'
import { formatUsdc, parseUsdc } from '@augury/units/decimal'
import { usdc } from '@augury/units/usdc'
import type { Approval } from '@augury/wire/platform/approval'
import type { Action } from '@augury/wire/platform/passkeys'
import { ServiceError } from '@augury/wire/service-error'
import type { EntityManager } from '@mikro-orm/postgresql'
import { getAddress } from 'viem'
import { requireFresh } from '../authorization/freshness.ts'
import type { Member } from '../authorization/viewer.ts'
import type { Site } from '../site/site.ts'
import { challengeOf, takeChallenge } from './challenges.ts'
import { ownOrigins } from './own-origins.ts'
import { usePasskey } from './passkeys.ts'
import { messageProblem, readMessage, signInChains } from './sign-in-message.ts'
import { walletSignature } from './wallet-signature.ts'
import { claimedChallenge } from './webauthn.ts'

/** What a proof of an action is for, in one canonical text: wallets show it, and challenges are bound to it. Amounts in millionths. */
export function statementOf(action: Action): string {
  switch (action.action) {
    case 'withdraw':
      return `Withdraw ${formatUsdc(usdc(parseUsdc(action.amount)))} USDC to ${getAddress(action.destination.toLowerCase())}.`
    case 'add_passkey':
      return 'Add a passkey to this account.'
    case 'remove_passkey':
      return `Remove the passkey ${action.id} from this account.`
    case 'renew_codes':
      return 'Replace the recovery codes of this account.'
    case 'link_wallet':
      return `Link the wallet ${getAddress(action.address)} to this account.`
    case 'unlink_wallet':
      return `Remove the wallet ${getAddress(action.address)} from this account.`
    case 'change_email':
      return action.email === null
        ? 'Remove the email address of this account.'
        : `Use ${action.email} as the email address of this account.`
    case 'second_factor':
      return 'Change the second factor of this account.'
  }
}

/**
 * Checks the proof of an action, which was made for this very action in this session and counts once. Throws `approval_required` without one,
 * `approval_invalid` for one of something else, and the refusal of the passkey or the wallet.
 */
export async function requireApproval(site: Site, member: Member, action: Action, approval: Approval | undefined): Promise<void> {
  if (!approval) throw new ServiceError('approval_required', { details: { action: action.action } })
  const statement = statementOf(action)
  if ('passkey' in approval) return byPasskey(site, member, statement, approval.passkey)
  return byWallet(site, member, statement, approval)
}

/**
 * The same for actions that members without a passkey may confirm by having signed in within 15 minutes: for them `step_up_required` is
 * thrown.
 */
export async function requireApprovalOrFresh(site: Site, member: Member, action: Action, approval: Approval | undefined): Promise<void> {
  if (approval === undefined && !(await hasPasskey(site.em(), member.id))) return requireFresh(member, site.now())
  return requireApproval(site, member, action, approval)
}

/** Whether a member has a passkey, suspended or not. */
export async function hasPasskey(em: EntityManager, userId: string): Promise<boolean> {
  return (await tables(em).selectFrom('passkey').select('id').where('user_id', '=', userId).limit(1).execute()).length > 0
}

async function byPasskey(site: Site, member: Member, statement: string, given: Extract<Approval, { passkey: unknown }>['passkey']) {
  const challenge = claimedChallenge(given)
  await takeApproval(site, member, challenge, statement)
  const { userId } = await usePasskey(site, given, challenge!, member.visit)
  if (userId !== member.id) throw new ServiceError('passkey_refused')
}

async function byWallet(site: Site, member: Member, statement: string, given: { message: string; signature: string }): Promise<void> {
  const { settings } = site
  const message = readMessage(given.message)
  await takeApproval(site, member, message ? challengeOf(message.nonce) : null, statement)
  const policy = { origins: ownOrigins(settings), chains: signInChains(settings), now: site.now() }
  if (!message || messageProblem(given.message, message, policy)) throw new ServiceError('wallet_refused')
  if (message.statement !== statement) throw new ServiceError('approval_invalid')
  const owned = await tables(site.em())
    .selectFrom('wallet')
    .select('kind')
    .where('address', '=', message.address.toLowerCase())
    .where('user_id', '=', member.id)
    .execute()
  const signedBy = owned.length === 1 ? await walletSignature(message, given.signature, settings) : null
  if (!signedBy) throw new ServiceError('wallet_refused')
}

async function takeApproval(site: Site, { session }: Member, challenge: Buffer | null, statement: string): Promise<void> {
  const purpose = challenge && (await takeChallenge(site.em(), challenge, { session }, site.now()))
  if (purpose !== statement) throw new ServiceError('approval_invalid')
}
