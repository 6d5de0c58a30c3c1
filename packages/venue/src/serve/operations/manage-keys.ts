import { randomBytes } from 'node:crypto'
import type { Hex } from '@augury/engine/command'
import type { Credentials, ListedKey, Scope } from '@augury/wire/credentials'
import type { Input } from '@augury/wire/operation'
import { keyOperations } from '@augury/wire/operations/keys'
import { ServiceError } from '@augury/wire/service-error'
import { getAddress } from 'viem'
import { scopeCovers, type Trader, type Visitor, type WalletOwner } from '../access/identity.ts'
import type { KeyWish } from '../access/keys.ts'
import type { Context } from './context.ts'
import { lacksWallet } from './manage-wallets.ts'

/** The widest scope that a wallet may ask for. */
function widest({ settings }: Context, owner: Hex): Scope {
  if (settings.venueAddresses.includes(owner)) return 'venue'
  return settings.operatorAddresses.includes(owner) ? 'operator' : 'trade'
}

/** The API key of a wallet and nonce, created at the first call. Scopes operator and venue need our own login domain. */
export async function createKey(
  ctx: Context,
  wallet: WalletOwner,
  { body }: { body: { name?: string | undefined; scope?: Scope | undefined } | undefined },
): Promise<Credentials> {
  const { scope, name } = body ?? {}
  if (scope === 'operator' || scope === 'venue') {
    const allowed = widest(ctx, wallet.address)
    if (!wallet.firstParty || (scope === 'venue' ? allowed !== 'venue' : allowed === 'trade')) throw new ServiceError('insufficient_scope')
  }
  const credentials = await create(ctx, { owner: wallet.address, nonce: wallet.nonce, scope, name, deployment: wallet.deployment })
  await ownDerived(ctx, wallet)
  return withWallet(ctx, tellable(ctx, wallet, credentials), wallet.address)
}

/** Registers the wallets that an established client derives for its owner, at the login of such a client, unless members sign for wallets. */
async function ownDerived({ wallets, settings }: Context, { address, firstParty }: WalletOwner): Promise<void> {
  if (!firstParty && !settings.requireProxyWallet) await wallets.registerDerived(address)
}

/**
 * Returns credentials unless the login is not good for their key: the established one names no exchange, so it may have been signed for
 * another, and is good for keys that trade. Throws `insufficient_scope`.
 */
function tellable({ keys }: Context, { firstParty }: WalletOwner, credentials: Credentials): Credentials {
  const scope = keys.find(credentials.apiKey)?.scope
  if (!firstParty && scope && scopeCovers(scope, 'operator')) throw new ServiceError('insufficient_scope')
  return credentials
}

/** Adds whether the owner still has to register a proxy wallet before the key can trade. */
function withWallet(ctx: Context, credentials: Credentials, owner: Hex): Credentials {
  const scope = ctx.keys.find(credentials.apiKey)?.scope
  const isMissing = scope === 'trade' && lacksWallet(ctx, owner)
  return isMissing ? { ...credentials, proxy_wallet_missing: true } : credentials
}

/** Creates a key, and releases any claim on its address as a contract wallet: a signature proves the owner of an address. */
async function create({ keys, wallets }: Context, wish: KeyWish): Promise<Credentials> {
  const credentials = await keys.create(wish)
  await wallets.release(wish.owner)
  return credentials
}

/**
 * The API key of a wallet whose login a deployment relays. A key created this way belongs to the deployment, which gets its orders' fees;
 * an existing key stays as it is.
 */
export async function relayKey(
  ctx: Context,
  operator: Trader,
  { body }: { body: Input<typeof keyOperations.relayKey>['body'] },
): Promise<Credentials> {
  const login = { ...body, nonce: BigInt(body.nonce) }
  await ctx.login.verifyRelayed(login, keyOperations.createKey.path, Math.floor(Date.now() / 1000))
  const key = await create(ctx, { owner: login.address, nonce: login.nonce, scope: 'trade', name: undefined, deployment: operator.account })
  return withWallet(ctx, key, login.address)
}

/** The API key that a wallet created for a nonce. */
export async function deriveKey(ctx: Context, wallet: WalletOwner): Promise<Credentials> {
  const credentials = tellable(ctx, wallet, ctx.keys.derive(wallet.address, wallet.nonce))
  await ownDerived(ctx, wallet)
  return withWallet(ctx, credentials, wallet.address)
}

/** All live keys of the trader. */
export async function listKeys(ctx: Context, trader: Trader): Promise<{ apiKeys: string[]; keys: ListedKey[] }> {
  const keys = await ctx.keys.listed(trader.account)
  return { apiKeys: keys.map(({ apiKey }) => apiKey), keys }
}

/** Revokes the key that signed this request. */
export async function deleteKey(ctx: Context, trader: Trader): Promise<'OK'> {
  const key = ctx.keys.find(trader.key)
  if (key) await ctx.keys.revoke(key)
  return 'OK'
}

/** Whether the account may only close positions. Here a banned account, which may do even less. */
export const getClosedOnly = async (ctx: Context, trader: Trader) => ({ closed_only: ctx.exchange.account(trader.account).banned })

/** Nonces from here on belong to read-only keys: no wallet login uses them. */
const READONLY_FROM = 2n ** 255n

/** Creates a read-only key, another one for every request. */
export async function createReadonlyKey(ctx: Context, trader: Trader): Promise<Credentials> {
  const nonce = READONLY_FROM + BigInt(`0x${randomBytes(16).toString('hex')}`)
  return ctx.keys.create({ owner: trader.account, nonce, scope: 'read', name: undefined, deployment: trader.deployment })
}

/** Ids of the trader's read-only keys. */
export const listReadonlyKeys = async (ctx: Context, trader: Trader): Promise<string[]> =>
  ctx.keys.of(trader.account).flatMap(({ key, scope }) => (scope === 'read' ? [key] : []))

/** Revokes a read-only key; false when the trader has no such key. */
export async function deleteReadonlyKey(ctx: Context, trader: Trader, { body }: { body: { key: string } }): Promise<boolean> {
  const key = ctx.keys.find(body.key.toLowerCase())
  if (!key || key.owner !== trader.account || key.scope !== 'read') return false
  await ctx.keys.revoke(key)
  return true
}

/** The address that a read-only key belongs to. Throws `unknown_key` when it is not the given one. */
export async function validateReadonlyKey(ctx: Context, _: Visitor, { query }: { query: { address: Hex; key: string } }): Promise<string> {
  const key = ctx.keys.find(query.key.toLowerCase())
  if (key?.scope !== 'read' || key.owner !== query.address) throw new ServiceError('unknown_key')
  return getAddress(key.owner)
}
