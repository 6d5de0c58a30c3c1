import { depositAddressOf } from '@augury/contracts/deployment'
import { tables } from '@augury/domain/platform/tables'
import { proxyWalletOf } from '@augury/signing/proxy-wallet'
import { ServiceError } from '@augury/wire/service-error'
import { getAddress, type Hex, isAddress, isAddressEqual } from 'viem'
import type { Member } from '../authorization/viewer.ts'
import { vaultOf } from '../chain/place.ts'
import { accountKeyOf } from '../identity/account-key.ts'
import type { Site } from '../site/site.ts'

/** The reasons why no money can be sent to an address, with their texts. */
const REASONS = {
  checksum: 'its checksum is wrong, so a character was mistyped',
  vault: 'it is the vault that holds the money of all members',
  collateral: 'it is the contract of the token itself',
  deposit_factory: 'it is a contract of this site',
  deposit_address: 'it is your own deposit address, so the money would come straight back',
  account_key: 'it is the address of this account, whose key the site keeps: money there could not be moved',
  proxy_wallet: 'it is your proxy wallet, which is not deployed yet',
} as const

/** Throws `withdrawal_destination`, with its reason in the details, for an address to which money cannot go, or would be lost. */
export async function requireDestination(site: Site, member: Member, destination: Hex): Promise<void> {
  const reason = await reasonAgainst(site, member, destination)
  if (reason) throw new ServiceError('withdrawal_destination', { values: { why: REASONS[reason] }, details: { reason } })
}

async function reasonAgainst(site: Site, member: Member, destination: Hex): Promise<keyof typeof REASONS | null> {
  const isPlain = destination === destination.toLowerCase() || /^0[xX][0-9A-F]{40}$/.test(destination)
  if (!isPlain && !isAddress(destination)) return 'checksum'
  const to = getAddress(destination.toLowerCase())
  const vault = vaultOf(site.settings)
  if (vault) {
    if (to === vault.address) return 'vault'
    if (to === vault.collateral) return 'collateral'
    if (to === vault.factory) return 'deposit_factory'
    if (isAddressEqual(to, depositAddressOf(vault.address, member.address))) return 'deposit_address'
  }
  const isOwn = isAddressEqual(to, member.address) || isAddressEqual(to, proxyWalletOf(member.address))
  if (isOwn && (await accountKeyOf(site.em(), site.vault, member.id))) return 'account_key'
  return (await isUndeployed(site, member, to)) ? 'proxy_wallet' : null
}

/** Whether an address is the member's proxy wallet, and there is no contract yet. */
async function isUndeployed(site: Site, { id }: Member, to: Hex): Promise<boolean> {
  const row = await tables(site.em())
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('proxy_wallet_address', '=', to.toLowerCase())
    .where('proxy_wallet_status', '<>', 'deployed')
    .executeTakeFirst()
  return row !== undefined
}
