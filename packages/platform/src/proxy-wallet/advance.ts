import type { VenueClient } from '@augury/client/rest'
import { tables } from '@augury/domain/platform/tables'
import type { ProxyWalletStatus } from '@augury/domain/platform/user.entity'
import type { Hex } from 'viem'
import { nodeOfChain } from '../chain/chain-node.ts'
import type { Platform } from '../site/platform.ts'
import type { SiteSettings } from '../site/site.ts'

/** How wallets are deployed, and the node that shows it; without one the status is not read. */
export type Deploying = Pick<SiteSettings, 'chainId' | 'rpcUrl' | 'settlement'> & Partial<Pick<SiteSettings, 'mode'>>

/** What advancing a proxy wallet needs. */
export interface ProxyWalletWork {
  exchange: Pick<VenueClient, 'relayWallet'>
  chain: Deploying
}

/** A member who signed for a proxy wallet. */
export interface Underway {
  id: string
  address: Hex
  proxy_wallet_address: Hex
  proxy_wallet_signature: Hex
  proxy_wallet_status: ProxyWalletStatus
}

/** Advances a proxy wallet as far as possible: signed → registered on the exchange, stored as `deploying` → deployed. Every step is idempotent. */
export async function advance(platform: Platform, { exchange, chain }: ProxyWalletWork, member: Underway): Promise<void> {
  if (member.proxy_wallet_status === 'signed') await register(platform, exchange, member)
  await follow(platform, chain, member)
}

/** Registers a proxy wallet at the exchange: from then on its owner may trade. Repeating it changes nothing. */
export async function register(platform: Platform, exchange: ProxyWalletWork['exchange'], member: Underway): Promise<void> {
  await exchange.relayWallet({ body: { owner: member.address, signature: member.proxy_wallet_signature } })
  await tables(platform.em())
    .updateTable('users')
    .set({ proxy_wallet_status: 'deploying', updated_at: platform.now() })
    .where('id', '=', member.id)
    .where('proxy_wallet_status', '=', 'signed')
    .execute()
}

/**
 * Asks the settler for the contract of a proxy wallet, and stores that it is deployed once the settler says so. Without a settler the code at the
 * address decides. Throws if the node serves another chain: code there says nothing of the member's wallet.
 */
export async function follow(platform: Platform, chain: Deploying, member: Underway): Promise<void> {
  const { chainId, rpcUrl, settlement } = chain
  if (settlement === 'chain') {
    await askForContract(platform, chain, member)
    const asked = await tables(platform.em())
      .selectFrom('chain.wallet')
      .select(['state', 'transaction'])
      .where('owner', '=', member.address)
      .executeTakeFirst()
    if (asked?.state === 'deployed') await setDeployed(platform, member, asked.transaction)
  } else if (rpcUrl !== null) {
    const node = await nodeOfChain({ chainId, rpcUrl })
    if ((await node.getCode({ address: member.proxy_wallet_address })) !== undefined) await setDeployed(platform, member, null)
  }
}

/** Asks once. The settler pays, and a signature costs nothing: in production only for members whose money came. */
const askForContract = (platform: Platform, { mode }: Deploying, { address, proxy_wallet_signature }: Underway): Promise<unknown> =>
  platform.em().execute(
    `insert into chain.wallet (owner, asked_at, signature, state)
     select ?, ?, ?, 'asked' where ? or exists (select from chain.deposit where account = ?) on conflict do nothing`,
    [address, platform.now(), proxy_wallet_signature, mode === 'sandbox', address],
  )

const setDeployed = (platform: Platform, { id }: Underway, transaction: string | null): Promise<unknown> =>
  tables(platform.em())
    .updateTable('users')
    .set({ proxy_wallet_status: 'deployed', proxy_wallet_tx_hash: transaction, updated_at: platform.now() })
    .where('id', '=', id)
    .where('proxy_wallet_status', '=', 'deploying')
    .execute()

/** The status as members and admins see it: without a settler no contract is being deployed, and without a node none is seen. */
export function shownStatus(
  status: ProxyWalletStatus,
  { settlement, rpcUrl }: Pick<Deploying, 'settlement' | 'rpcUrl'>,
): ProxyWalletStatus {
  if (status === 'deploying' && settlement !== 'chain') return 'signed'
  return status === 'deployed' && rpcUrl === null ? 'signed' : status
}

/** The next members whose proxy wallets are to be registered or, with a chain, to be followed there; ordered by member. */
export const underway = (platform: Platform, { rpcUrl }: Deploying, after: string, most: number): Promise<Underway[]> =>
  platform.em().execute(
    `select id, address, proxy_wallet_address, proxy_wallet_signature, proxy_wallet_status from users
     where (proxy_wallet_status = 'signed' or proxy_wallet_status = 'deploying' and ?) and id > ? order by id limit ?`,
    [rpcUrl !== null, after, most],
  )
