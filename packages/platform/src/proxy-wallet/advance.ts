import type { VenueClient } from '@augury/client/rest'
import type { ProxyWalletStatus } from '@augury/domain/platform/user.entity'
import type { Hex } from 'viem'
import { type Chain, nodeOfChain } from '../identity/chain-node.ts'
import type { Platform } from '../platform.ts'

/** What advancing a proxy wallet needs: the exchange, and a node of its chain if there is one. */
export interface ProxyWalletWork {
  exchange: Pick<VenueClient, 'relayWallet'>
  chain: Chain
}

/** A member who signed for a proxy wallet. */
export interface Underway {
  id: string
  address: Hex
  proxy_wallet_address: Hex
  proxy_wallet_signature: Hex
  proxy_wallet_status: ProxyWalletStatus
}

/**
 * Advances a proxy wallet as far as possible: signed → registered on the exchange, stored as `deploying` → deployed, once a node of the chain
 * finds code at its address. Every step is idempotent. Throws if the node serves another chain: code there says nothing of the member's wallet.
 */
export async function advance(
  platform: Platform,
  { exchange, chain: { chainId, rpcUrl } }: ProxyWalletWork,
  member: Underway,
): Promise<void> {
  if (member.proxy_wallet_status === 'signed') await register(platform, exchange, member)
  if (rpcUrl === null) return
  const node = await nodeOfChain({ chainId, rpcUrl })
  if ((await node.getCode({ address: member.proxy_wallet_address })) !== undefined) await move(platform, member.id, 'deploying', 'deployed')
}

/** Registers a proxy wallet at the exchange: from then on its owner may trade. Repeating it changes nothing. */
export async function register(platform: Platform, exchange: ProxyWalletWork['exchange'], member: Underway): Promise<void> {
  await exchange.relayWallet({ body: { owner: member.address, signature: member.proxy_wallet_signature } })
  await move(platform, member.id, 'signed', 'deploying')
}

/** The status as members and admins see it. Without a chain nothing is being deployed: a registered wallet is one that was signed for. */
export const shownStatus = (status: ProxyWalletStatus, rpcUrl: string | null): ProxyWalletStatus =>
  rpcUrl === null && status !== 'not_started' ? 'signed' : status

const move = (platform: Platform, id: string, from: ProxyWalletStatus, to: ProxyWalletStatus) =>
  platform
    .em()
    .execute('update users set proxy_wallet_status = ?, updated_at = ? where id = ? and proxy_wallet_status = ?', [
      to,
      platform.now(),
      id,
      from,
    ])

/** The next members whose proxy wallets are to be registered or, with a chain, to be looked for on it; ordered by member. */
export const underway = (platform: Platform, { rpcUrl }: Chain, after: string, most: number): Promise<Underway[]> =>
  platform.em().execute(
    `select id, address, proxy_wallet_address, proxy_wallet_signature, proxy_wallet_status from users
     where (proxy_wallet_status = 'signed' or proxy_wallet_status = 'deploying' and ?) and id > ? order by id limit ?`,
    [rpcUrl !== null, after, most],
  )
