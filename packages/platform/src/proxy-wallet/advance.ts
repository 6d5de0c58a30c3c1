import type { VenueClient } from '@augury/client/rest'
import type { ProxyWalletStatus } from '@augury/domain/platform/user.entity'
import type { Hex } from 'viem'
import { chainNode } from '../identity/chain-node.ts'
import type { Platform } from '../platform.ts'

/** What advancing a proxy wallet needs: the exchange, and a node of the chain if there is one. */
export interface ProxyWalletWork {
  exchange: Pick<VenueClient, 'relayWallet'>
  rpcUrl: string | null
}

/** A member whose proxy wallet is not ready yet. */
export interface Underway {
  id: string
  address: Hex
  proxy_wallet_address: Hex
  proxy_wallet_signature: Hex
  proxy_wallet_status: ProxyWalletStatus
}

/**
 * Advances a proxy wallet as far as possible: signed → registered on the exchange → deployed. Without a chain, registration completes it;
 * with one, the code at its address does. Every step is idempotent.
 */
export async function advance(platform: Platform, { exchange, rpcUrl }: ProxyWalletWork, member: Underway): Promise<void> {
  const { id, address, proxy_wallet_address, proxy_wallet_signature, proxy_wallet_status } = member
  if (proxy_wallet_status === 'signed') {
    await exchange.relayWallet({ body: { owner: address, signature: proxy_wallet_signature } })
    await move(platform, id, 'signed', 'deploying')
  }
  if (rpcUrl === null || (await chainNode(rpcUrl).getCode({ address: proxy_wallet_address })) !== undefined)
    await move(platform, id, 'deploying', 'deployed')
}

const move = (platform: Platform, id: string, from: ProxyWalletStatus, to: ProxyWalletStatus) =>
  platform
    .em()
    .execute('update users set proxy_wallet_status = ?, updated_at = ? where id = ? and proxy_wallet_status = ?', [
      to,
      platform.now(),
      id,
      from,
    ])

/** The next members whose proxy wallets are not ready yet, ordered by member. */
export const underway = (platform: Platform, after: string, most: number): Promise<Underway[]> =>
  platform.em().execute(
    `select id, address, proxy_wallet_address, proxy_wallet_signature, proxy_wallet_status from users
     where proxy_wallet_status in ('signed', 'deploying') and id > ? order by id limit ?`,
    [after, most],
  )
