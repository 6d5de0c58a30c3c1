import type { VenueClient } from '@augury/client/rest'
import type { ProxyWalletStatus } from '@augury/domain/platform/user.entity'
import type { Hex } from 'viem'
import { chainNode } from '../identity/chain-node.ts'
import type { Platform } from '../platform.ts'

/** What moves a proxy wallet on: the exchange, and a node of the chain where there is one. */
export interface ProxyWalletWork {
  exchange: Pick<VenueClient, 'relayWallet'>
  rpcUrl: string | null
}

/** A member whose proxy wallet is on its way. */
export interface Underway {
  id: string
  address: Hex
  proxy_wallet_address: Hex
  proxy_wallet_signature: Hex
  proxy_wallet_status: ProxyWalletStatus
}

/**
 * Brings a proxy wallet as far as it can come now: signed for → known to the exchange → made. Without a chain there is nothing more to
 * make; with one the code at its address decides. Each step may be made twice.
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
      ...[to, platform.now(), id, from],
    ])

/** Some members whose proxy wallets are on their way, after a member. */
export const underway = (platform: Platform, after: string, most: number): Promise<Underway[]> =>
  platform.em().execute(
    `select id, address, proxy_wallet_address, proxy_wallet_signature, proxy_wallet_status from users
     where proxy_wallet_status in ('signed', 'deploying') and id > ? order by id limit ?`,
    [after, most],
  )
