import { loginTypedData } from '@augury/signing/login'
import { createProxyTypedData } from '@augury/signing/proxy-wallet'
import type { Output } from '@augury/wire/operation'
import type { tradingOperations } from '@augury/wire/platform/trading'
import { ServiceError } from '@augury/wire/service-error'
import { requireFresh } from '../authorization/freshness.ts'
import type { Member } from '../authorization/viewer.ts'
import { asRefusal } from '../exchange/exchange-refusals.ts'
import { accountKeyOf } from '../identity/account-key.ts'
import { signProxyWallet } from '../proxy-wallet/manage-proxy-wallet.ts'
import type { Site } from '../site/site.ts'
import { getTradingCredentials, saveTradingCredentials } from './manage-credentials.ts'

type Answer = Output<typeof tradingOperations.enableTrading>

/**
 * Enables trading on this device with the key that the site keeps for the account: the key signs what a wallet would. Asks for a sign-in
 * within 15 minutes, as a wallet would ask for a signature. Throws `key_not_kept` and `step_up_required`.
 */
export async function enableTrading(site: Site, member: Member): Promise<Answer> {
  requireFresh(member, site.now())
  const key = await accountKeyOf(site.em(), site.vault, member.id)
  if (!key) throw new ServiceError('key_not_kept')
  const { login } = await getTradingCredentials(site, member)
  const { chainId, host, path, nonce } = login
  // The exchange's clock: it accepts signatures of its last seconds alone, and this one is made here.
  const timestamp = String(
    await site.exchange.anybody.getTime().catch((error) => {
      throw asRefusal(error, false)
    }),
  )
  const address = member.address
  const signature = await key.signTypedData(
    loginTypedData({ chainId, address, host, method: 'POST', path, timestamp, nonce: BigInt(nonce) }),
  )
  const saved = await saveTradingCredentials(site, member, { body: { set: 'clob', address, timestamp, nonce, signature } })
  if (!saved.proxy_wallet_missing) return saved
  const { proxy_wallet_status } = await signProxyWallet(site, member, {
    body: { signature: await key.signTypedData(createProxyTypedData(chainId)) },
  })
  return { ...saved, proxy_wallet_missing: proxy_wallet_status === 'not_started' }
}
