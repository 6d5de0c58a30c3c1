import type { Hex } from '@augury/engine/command'
import { PROXY_SIGNATURE_TYPE, proxyWalletOf } from '@augury/signing/proxy-wallet'
import { ServiceError } from '@augury/wire/service-error'
import { getAddress } from 'viem'
import type { Trader, WalletOwner } from '../access/identity.ts'
import type { RegisteredWallet } from '../access/wallets.ts'
import type { Context } from './context.ts'

const view = ({ address, owner, signatureType }: RegisteredWallet) => ({
  address: getAddress(address),
  owner: getAddress(owner),
  signature_type: signatureType,
})

/** Whether orders of an account are refused until it has registered a wallet. */
export const lacksWallet = ({ settings, wallets }: Pick<Context, 'settings' | 'wallets'>, account: Hex): boolean =>
  settings.requireProxyWallet && wallets.of(account).length === 0

/**
 * Registers a contract wallet of the signer. Its own proxy wallet is proven, as the address follows from the owner's. The owner of any
 * other cannot be checked without a chain, so the first claim stands, but never for an address that is an account, ever had a key or
 * receives fees, and only until that address signs.
 */
export async function registerWallet(
  ctx: Context,
  owner: WalletOwner,
  { params }: { params: { address: Hex; signature_type: 1 | 2 | 3 } },
) {
  const { address, signature_type: signatureType } = params
  if (!owner.firstParty) throw new ServiceError('insufficient_scope', { text: 'a wallet is registered with a login that names it' })
  if (signatureType === PROXY_SIGNATURE_TYPE && address === proxyAddressOf(owner.address)) return registerProxy(ctx, owner.address)
  const isAccount = address === owner.address || (ctx.exchange.isAccount(address) && !ctx.wallets.find(address))
  if (isAccount || ctx.wallets.find(owner.address)) throw new ServiceError('wallet_taken')
  return view(await ctx.wallets.register({ address, owner: owner.address, signatureType }, 'claim'))
}

/** Registers the proxy wallet of an owner whose signature a deployment relays. */
export async function relayWallet(ctx: Context, _: Trader, { body: { owner, signature } }: { body: { owner: Hex; signature: Hex } }) {
  await ctx.login.verifyProxy(owner, signature)
  return registerProxy(ctx, owner)
}

/** Registers the proxy wallet of a verified owner. Its address is derived from the owner's, so it replaces anybody else's claim. */
async function registerProxy(ctx: Context, owner: Hex) {
  if (ctx.wallets.find(owner)) throw new ServiceError('wallet_taken')
  const address = proxyAddressOf(owner)
  const claimed = ctx.wallets.find(address)
  if (claimed && claimed.owner !== owner) await ctx.wallets.release(address)
  return view(await ctx.wallets.register({ address, owner, signatureType: PROXY_SIGNATURE_TYPE }, 'proof'))
}

const proxyAddressOf = (owner: Hex): Hex => proxyWalletOf(owner).toLowerCase() as Hex

/** The trader's registered wallets. */
export const listWallets = async (ctx: Context, trader: Trader) => ({ wallets: ctx.wallets.of(trader.account).map(view) })
