import { tables } from '@augury/domain/platform/tables'
import { createProxyTypedData, proxyWalletOf, SAFE_CONTRACTS } from '@augury/signing/proxy-wallet'
import { recoverSigner } from '@augury/signing/recover'
import type { Input, Output } from '@augury/wire/operation'
import type { proxyWalletOperations } from '@augury/wire/platform/proxy-wallet'
import { ServiceError } from '@augury/wire/service-error'
import { getAddress, type Hex, hashTypedData, hexToBytes } from 'viem'
import { audit } from '../authorization/audit.ts'
import type { Member } from '../authorization/viewer.ts'
import type { Site } from '../site/site.ts'
import { follow, register, shownStatus, type Underway } from './advance.ts'

type Operations = typeof proxyWalletOperations
type View = Output<Operations['getProxyWallet']>

interface Row extends Underway {
  proxy_wallet_signed_at: string | Date | null
  proxy_wallet_tx_hash: string | null
}

/** The member's proxy wallet; its address is known before it exists. One that is being deployed is looked for now, and not only by the job. */
export async function getProxyWallet(site: Site, member: Member): Promise<View> {
  const before = await rowOf(site, member)
  const isFollowed = before.proxy_wallet_status === 'deploying' && site.settings.settlement === 'chain'
  if (isFollowed) await follow(site, site.settings, before)
  const { proxy_wallet_status, proxy_wallet_signed_at, proxy_wallet_tx_hash } = isFollowed ? await rowOf(site, member) : before
  return {
    proxy_wallet_address: getAddress(proxyWalletOf(member.address)),
    proxy_wallet_status: shownStatus(proxy_wallet_status, site.settings),
    proxy_wallet_signed_at: proxy_wallet_signed_at === null ? null : new Date(proxy_wallet_signed_at).toISOString(),
    proxy_wallet_tx_hash,
    chain_id: site.settings.chainId,
    factory: SAFE_CONTRACTS.safeProxyFactory,
  }
}

async function rowOf(site: Site, { id }: Member): Promise<Row> {
  const [row]: Row[] = await site.em().execute(
    `select id, address, proxy_wallet_address, proxy_wallet_signature, proxy_wallet_status, proxy_wallet_signed_at, proxy_wallet_tx_hash
     from users where id = ?`,
    [id],
  )
  return row!
}

/**
 * Stores what the member signed for the proxy wallet, registers it at the exchange, and asks the settler to deploy it; it is safe to repeat. Without an answer of the
 * exchange the sync job continues. Throws `bad_proxy_signature`.
 */
export async function signProxyWallet(
  site: Site,
  member: Member,
  { body: { signature } }: Pick<Input<Operations['signProxyWallet']>, 'body'>,
): Promise<View> {
  const hash = hashTypedData(createProxyTypedData(site.settings.chainId))
  if ((await recoverSigner(hexToBytes(hash), hexToBytes(signature))) !== member.address) throw new ServiceError('bad_proxy_signature')
  await storeSignature(site, member, signature)
  await registerAgain(site, member)
  return getProxyWallet(site, member)
}

/**
 * Registers the proxy wallet that the member signed for at the exchange, which may have been away or restored from an older backup.
 * Returns whether the exchange has it now.
 */
export async function registerAgain(site: Site, member: Member): Promise<boolean> {
  const [signed]: Underway[] = await site.em().execute(
    `select id, address, proxy_wallet_address, proxy_wallet_signature, 'signed' as proxy_wallet_status from users
     where id = ? and proxy_wallet_signature is not null`,
    [member.id],
  )
  if (!signed) return false
  const work = site.exchange.operator().then(({ exchange }) => register(site, exchange, signed))
  return work.then(
    () => true,
    () => false, // the sync job retries it and reports the error
  )
}

async function storeSignature(site: Site, { id, address, visit }: Member, signature: Hex): Promise<void> {
  const now = site.now()
  const proxy = proxyWalletOf(address).toLowerCase()
  await site.em().transactional(async (em) => {
    const row = await tables(em)
      .updateTable('users')
      .set({
        proxy_wallet_address: proxy,
        proxy_wallet_signature: signature,
        proxy_wallet_status: 'signed',
        proxy_wallet_signed_at: now,
        updated_at: now,
      })
      .where('id', '=', id)
      .where('proxy_wallet_status', '=', 'not_started')
      .returning('id')
      .executeTakeFirst()
    if (!row) return
    const entry = { action: 'proxy_wallet_signed', actor: id, subject: id, visit } as const
    await audit(em, { ...entry, details: { proxy } }, now)
  })
}
