import { createProxyTypedData, proxyFactory, proxyWalletOf } from '@augury/signing/proxy-wallet'
import { recoverSigner } from '@augury/signing/recover'
import type { Input, Output } from '@augury/wire/operation'
import type { proxyWalletOperations } from '@augury/wire/platform/proxy-wallet'
import { ServiceError } from '@augury/wire/service-error'
import { getAddress, type Hex, hashTypedData, hexToBytes } from 'viem'
import { audit } from '../account/audit.ts'
import type { Member } from '../identity/viewer.ts'
import type { Site } from '../site.ts'
import { advance, type Underway } from './advance.ts'

type Operations = typeof proxyWalletOperations
type View = Output<Operations['getProxyWallet']>

interface Row extends Underway {
  proxy_wallet_signed_at: string | Date | null
  proxy_wallet_tx_hash: string | null
}

/** The member's proxy wallet; its address is known before it exists. */
export async function getProxyWallet(site: Site, member: Member): Promise<View> {
  const [row]: Row[] = await site.em().execute(
    `select id, address, proxy_wallet_address, proxy_wallet_signature, proxy_wallet_status, proxy_wallet_signed_at, proxy_wallet_tx_hash
     from users where id = ?`,
    [member.id],
  )
  const { proxy_wallet_status, proxy_wallet_signed_at, proxy_wallet_tx_hash } = row!
  return {
    proxy_wallet_address: getAddress(proxyWalletOf(member.address)),
    proxy_wallet_status,
    proxy_wallet_signed_at: proxy_wallet_signed_at === null ? null : new Date(proxy_wallet_signed_at).toISOString(),
    proxy_wallet_tx_hash,
    chain_id: site.settings.chainId,
    factory: getAddress(proxyFactory),
  }
}

/**
 * Starts the creation of the member's proxy wallet; repeating it changes nothing. Without an answer of the exchange it stays signed, and
 * the sync job continues. Throws `bad_proxy_signature`.
 */
export async function signProxyWallet(
  site: Site,
  member: Member,
  { body: { signature } }: Pick<Input<Operations['signProxyWallet']>, 'body'>,
): Promise<View> {
  const hash = hashTypedData(createProxyTypedData(site.settings.chainId))
  if ((await recoverSigner(hexToBytes(hash), hexToBytes(signature))) !== member.address) throw new ServiceError('bad_proxy_signature')
  const signed = await storeSignature(site, member, signature)
  if (signed) {
    const work = site.exchange.operator().then(({ exchange }) => advance(site, { exchange, rpcUrl: site.settings.rpcUrl }, signed))
    await work.catch(() => {}) // the sync job retries it and reports the error
  }
  return getProxyWallet(site, member)
}

async function storeSignature(site: Site, { id, address, visit }: Member, signature: Hex): Promise<Underway | null> {
  const now = site.now()
  const proxy = proxyWalletOf(address).toLowerCase()
  return site.em().transactional(async (em) => {
    const [row]: Underway[] = await em.execute(
      `update users set proxy_wallet_address = ?, proxy_wallet_signature = ?, proxy_wallet_status = 'signed', proxy_wallet_signed_at = ?,
         updated_at = ?
       where id = ? and proxy_wallet_status = 'not_started'
       returning id, address, proxy_wallet_address, proxy_wallet_signature, proxy_wallet_status`,
      [proxy, signature, now, now, id],
    )
    if (!row) return null
    const entry = { action: 'proxy_wallet_signed', actor: id, subject: id, visit } as const
    await audit(em, { ...entry, details: { proxy } }, now)
    return row
  })
}
