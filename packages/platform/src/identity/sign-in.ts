import { tables } from '@augury/domain/platform/tables'
import type { Input, Output } from '@augury/wire/operation'
import type { signInOperations } from '@augury/wire/platform/sign-in'
import { ServiceError } from '@augury/wire/service-error'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { SiweMessage } from 'siwe'
import { audit } from '../authorization/audit.ts'
import type { Viewer } from '../authorization/viewer.ts'
import { hashOf, newToken } from '../crypto/token.ts'
import type { Site } from '../site/site.ts'
import { joinByReferral } from './join.ts'
import { memberOf, type ProvenWallet, type WalletOwner } from './members.ts'
import { createNonce, type Intended, useNonce } from './nonces.ts'
import { ownOrigins } from './own-origins.ts'
import { endSession, startSession } from './sessions.ts'
import { messageProblem, nonceIn, readMessage, signInChains, wrongPart } from './sign-in-message.ts'
import { userView } from './user-view.ts'
import { walletSignature } from './wallet-signature.ts'

type Operations = typeof signInOperations

/** Milliseconds that a member has for the second step. */
const PENDING_LIFE = 600_000

/** Issues a nonce for a sign-in message, for the wallet and the chain that were named. Leaves the cookie that binds it to the browser. */
export async function issueNonce(
  site: Site,
  { visit }: Viewer,
  { body }: Pick<Input<Operations['issueNonce']>, 'body'>,
): Promise<Output<Operations['issueNonce']>> {
  const browser = visit.cookie('signIn') ?? newToken()
  visit.leave('signIn', browser)
  return { nonce: await createNonce(site.em(), browser, body, site.now()) }
}

/**
 * Signs in with a signed message. Throws the refusal of the message, the nonce or the signature; the attempt uses up the nonce in any case.
 * The browser's earlier session ends; when the second factor is on, the new session begins only after it.
 */
export async function signIn(
  site: Site,
  viewer: Viewer,
  { body }: Pick<Input<Operations['signIn']>, 'body'>,
): Promise<Output<Operations['signIn']>> {
  const { settings } = site
  const now = site.now()
  const parsed = readMessage(body.message)
  const nonce = parsed?.nonce ?? nonceIn(body.message)
  const intended = await useNonce(site.em(), nonce, viewer.visit.cookie('signIn'), now)
  const message = acceptable(body.message, parsed, site)
  if (typeof intended === 'string') throw new ServiceError(intended)
  requireIntended(message, body)
  requireIntended(message, intended)
  const kind = await walletSignature(message, body.signature, settings)
  if (!kind) throw new ServiceError('bad_wallet_signature')

  return site.em().transactional(async (em) => {
    const { userId, twoFactor } = await welcome(em, { address: message.address.toLowerCase(), kind, chainId: message.chainId }, viewer, now)
    if (viewer.kind === 'member') await endSession(em, viewer.id, viewer.session)
    viewer.visit.take('signIn')
    if (twoFactor) {
      await expectSecondFactor(em, userId, viewer, now)
      return { twoFactorRedirect: true }
    }
    const token = await startSession(em, userId, viewer.visit, now)
    return { user: await userView(site, em, userId), token }
  })
}

/** Checks a message, but not its nonce. Throws the refusal. */
function acceptable(text: string, message: SiweMessage | null, { settings, now }: Site): SiweMessage {
  const policy = { origins: ownOrigins(settings), chains: signInChains(settings), now: now() }
  const problem = message ? messageProblem(text, message, policy) : 'message_malformed'
  if (problem) throw new ServiceError(problem, { values: { part: wrongPart(text) } })
  return message!
}

function requireIntended(message: SiweMessage, { walletAddress, chainId }: Intended): void {
  if (walletAddress !== undefined && walletAddress !== message.address.toLowerCase()) throw new ServiceError('wrong_address')
  if (chainId !== undefined && chainId !== message.chainId) throw new ServiceError('wrong_chain')
}

async function welcome(em: EntityManager, wallet: ProvenWallet, viewer: Viewer, now: Date): Promise<WalletOwner> {
  const owner = await memberOf(em, wallet, now)
  const { userId: actor, isNew } = owner
  if (!isNew) return owner
  await audit(em, { action: 'member_created', actor, subject: actor, visit: viewer.visit }, now)
  await joinByReferral(em, actor, viewer, now)
  return owner
}

/** Remembers that the first step was passed, under a cookie that allows the second one and nothing else. */
export async function expectSecondFactor(em: EntityManager, userId: string, { visit }: Viewer, now: Date): Promise<void> {
  const token = newToken()
  await tables(em).deleteFrom('pending_second_factor').where('user_id', '=', userId).where('expires_at', '<=', now).execute()
  await tables(em)
    .insertInto('pending_second_factor')
    .values({ token_hash: hashOf(token), user_id: userId, expires_at: new Date(now.getTime() + PENDING_LIFE) })
    .execute()
  visit.take('session')
  visit.leave('secondFactor', token)
}
