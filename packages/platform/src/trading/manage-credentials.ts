import { tables } from '@augury/domain/platform/tables'
import type { ApiKey } from '@augury/signing/request-signer'
import type { Input, Output } from '@augury/wire/operation'
import { venueOperations } from '@augury/wire/operations/venue'
import type { tradingOperations } from '@augury/wire/platform/trading'
import { ServiceError } from '@augury/wire/service-error'
import { audit } from '../authorization/audit.ts'
import { requireFresh } from '../authorization/freshness.ts'
import type { Member } from '../authorization/viewer.ts'
import { asRefusal, isRevoked } from '../exchange/exchange-refusals.ts'
import { credentialsToRevoke, storeCredentials, storedSets } from '../identity/stored-credentials.ts'
import { registerAgain } from '../proxy-wallet/manage-proxy-wallet.ts'
import type { Site } from '../site/site.ts'
import { announceReferral } from './announce.ts'
import { admitDevice, isKnownDevice } from './devices.ts'

type Operations = typeof tradingOperations
type Credentials = Output<Operations['getTradingCredentials']>

/** Which credentials the member has, whether this device may use them, and the message to sign to enable trading. */
export async function getTradingCredentials(site: Site, member: Member): Promise<Credentials> {
  const em = site.em()
  const sets = await storedSets(em, member.id)
  const { chainId, publicClobUrl } = site.settings
  return {
    ...sets,
    usable: sets.clob.enabled && (await isKnownDevice(em, member)),
    login: {
      chainId,
      host: new URL(publicClobUrl).host,
      path: venueOperations.createKey.path,
      // One key per wallet and deployment: fees of orders placed with another deployment's key go elsewhere.
      nonce: String(BigInt(site.exchange.operatorAddress)),
    },
  }
}

/**
 * Stores credentials and lets this device use them. For `clob`, the wallet's signature, seconds old, is passed to the exchange. Members
 * with a second factor, and anybody who stores `relayer` credentials, must have proven their presence recently.
 */
export async function saveTradingCredentials(
  site: Site,
  member: Member,
  { body }: Pick<Input<Operations['saveTradingCredentials']>, 'body'>,
): Promise<Output<Operations['saveTradingCredentials']>> {
  if (member.twoFactor || body.set === 'relayer') requireFresh(member, site.now())
  if (member.banned) throw new ServiceError('account_banned')
  if (body.address !== member.address) throw new ServiceError('other_wallet')
  const { proxy_wallet_missing, ...given } =
    body.set === 'clob' ? await keyOf(site, member, body) : { ...body, proxy_wallet_missing: false }
  const now = site.now()
  const context = await site.em().transactional(async (em) => {
    await tables(em).selectFrom('users').select('id').where('id', '=', member.id).forUpdate().execute()
    await storeCredentials(em, site.vault, member.id, body.set, given, now)
    const details = { set: body.set, key: given.key }
    await audit(em, { action: 'trading_enabled', actor: member.id, subject: member.id, visit: member.visit, details }, now)
    return { token: await admitDevice(em, member, now) }
  })
  const { clob, relayer, login } = await getTradingCredentials(site, member)
  return { clob, relayer, usable: clob.enabled, login, context: context.token, proxy_wallet_missing }
}

/**
 * The key that the exchange issues for a wallet's signature, and whether a required proxy wallet is still missing: one that the member has
 * signed for is registered now. The referrer is registered first, before there are fees to share.
 */
async function keyOf(
  site: Site,
  member: Member,
  { set: _, ...login }: Extract<Input<Operations['saveTradingCredentials']>['body'], { set: 'clob' }>,
): Promise<ApiKey & { proxy_wallet_missing: boolean }> {
  try {
    const { exchange } = await site.exchange.operator()
    const { apiKey, secret, passphrase, proxy_wallet_missing: lacksWallet } = await exchange.relayKey({ body: login })
    await announceReferral(site, exchange, member.id).catch(() => {}) // the job comes back to it
    const proxy_wallet_missing = lacksWallet === true && !(await registerAgain(site, member))
    return { address: login.address, key: apiKey, secret, passphrase, proxy_wallet_missing }
  } catch (error) {
    throw asRefusal(error, false) // the same signature once more gets the same key
  }
}

/** Revokes a member's `clob` key at the exchange and deletes it with the devices; `relayer` credentials are only deleted. */
export async function deleteTradingCredentials(
  site: Site,
  member: Member,
  { query }: Pick<Input<Operations['deleteTradingCredentials']>, 'query'>,
): Promise<Credentials> {
  const { set } = query
  if (set === 'clob') await revoke(site, member)
  await site.em().transactional(async (em) => {
    const db = tables(em)
    await db.selectFrom('users').select('id').where('id', '=', member.id).forUpdate().execute()
    const gone = await db
      .deleteFrom('trading_credential')
      .where('user_id', '=', member.id)
      .where('set', '=', set)
      .returning('set')
      .execute()
    if (set === 'clob') await db.deleteFrom('trading_context').where('user_id', '=', member.id).execute()
    if (gone.length === 0) return
    const entry = { action: 'trading_disabled', actor: member.id, subject: member.id } as const
    await audit(em, { ...entry, visit: member.visit, details: { set } }, site.now())
  })
  if (set === 'clob') member.visit.take('context')
  return { ...(await getTradingCredentials(site, member)), usable: false }
}

async function revoke(site: Site, member: Member): Promise<void> {
  const key = await credentialsToRevoke(site, member)
  if (!key) return
  try {
    await site.exchange.as(key).deleteKey()
  } catch (error) {
    if (isRevoked(error)) return
    throw asRefusal(error, false)
  }
}
