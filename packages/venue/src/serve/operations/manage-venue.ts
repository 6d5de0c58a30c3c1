import type { Hex, VenueMode } from '@augury/engine/command'
import { NEWEST_RULES } from '@augury/engine/state'
import { referenceHash } from '@augury/signing/order-id'
import { formatUsdc } from '@augury/units/decimal'
import { ServiceError } from '@augury/wire/service-error'
import type { ServiceStatus } from '@augury/wire/service-status'
import { getAddress } from 'viem'
import type { TransferRecord } from '../../record/history/read-orders.ts'
import type { Result } from '../../record/log/applied-row.ts'
import { TIERS, type Tier, tierOf } from '../access/budgets.ts'
import { scopeCovers, type Trader } from '../access/identity.ts'
import type { Context } from './context.ts'
import { getStatus } from './get-service.ts'
import { accepted } from './refused.ts'

async function setMode(ctx: Context, mode: VenueMode): Promise<ServiceStatus> {
  accepted(await ctx.venue.submit({ type: 'set_mode', mode }))
  return getStatus(ctx)
}

/** Stops trading. Cancels, merges and withdrawals go on, so that members can leave. */
export const pauseVenue = (ctx: Context): Promise<ServiceStatus> => setMode(ctx, 'paused')
/** Back to normal trading. */
export const resumeVenue = (ctx: Context): Promise<ServiceStatus> => setMode(ctx, 'normal')
/** Takes no orders; all else goes on. */
export const cancelOnlyVenue = (ctx: Context): Promise<ServiceStatus> => setMode(ctx, 'cancel_only')

/** Applies the newest rules that this release knows from the next row on. They are never taken back; asked again, nothing changes. */
export async function upgradeRules({ venue }: Pick<Context, 'venue'>): Promise<{ rules: number }> {
  accepted(await venue.submit({ type: 'upgrade', rules: NEWEST_RULES }))
  return { rules: NEWEST_RULES }
}

interface AccountPatch {
  params: { address: Hex }
  body: { referrer?: string | undefined; tier?: Tier | undefined; stp_group?: number | null | undefined; banned?: boolean | undefined }
}

/**
 * Sets referrer, tier, self-trade group or ban of an account; a ban also cancels its orders. An operator without the scope of the venue may
 * only set the referrer, and only of accounts whose key it relayed, so that none claims accounts that another one brought.
 */
export async function setAccount(ctx: Context, operator: Trader, { params, body }: AccountPatch) {
  const named = ctx.wallets.accountOf(params.address)
  const beyondReferrer = body.tier !== undefined || body.stp_group !== undefined || body.banned !== undefined
  const relayed = () => [params.address, named].some((owner) => ctx.keys.of(owner).some((key) => key.deployment === operator.account))
  if (!scopeCovers(operator.scope, 'venue') && (beyondReferrer || !relayed())) throw new ServiceError('insufficient_scope')
  const result = await ctx.venue.submit({
    type: 'set_account',
    account: named,
    referrer: body.referrer === undefined ? null : ctx.wallets.earnerOf(body.referrer as Hex),
    tier: body.tier === undefined ? null : TIERS.indexOf(body.tier),
    stpGroup: body.stp_group === undefined ? null : (body.stp_group ?? 0),
    banned: body.banned ?? null,
  })
  accepted(result)
  // After the ban, so that no order comes in between. If this fails, the caller's retry does it.
  if (body.banned === true) {
    accepted(await ctx.venue.submit({ type: 'cancel_all', account: named, condition: null, outcome: null, reason: 'admin' }))
  }
  const account = ctx.exchange.account(named)
  return {
    address: getAddress(named),
    referrer: account.referrer && getAddress(account.referrer),
    tier: tierOf(account.tier),
    stp_group: account.stpGroup === 0 ? null : account.stpGroup,
    banned: account.banned,
  }
}

/**
 * Names who gets the fees of orders through the operator's keys, from the next order on; null is the operator. A contract wallet stands for
 * its owner, unless it is only claimed: then it may belong to another owner. Throws `wallet_taken`.
 */
export async function setFeeAccount(ctx: Context, operator: Trader, { body }: { body: { address: Hex | null } }) {
  const { wallets } = ctx
  if (body.address && wallets.earnerOf(body.address) !== wallets.accountOf(body.address)) throw new ServiceError('wallet_taken')
  await ctx.feeAccounts.set(operator.account, body.address ?? operator.account)
  return { deployment: getAddress(operator.account), fee_account: getAddress(ctx.feeAccounts.of(operator.account)) }
}

export interface Transfer {
  body: { address: Hex; amount: string; ref: string }
}

/** An amount in millionths. Throws `invalid_amount` unless it is positive and countable. */
export function amountOf(amount: string): number {
  const micros = Number(amount)
  if (!Number.isSafeInteger(micros) || micros <= 0) throw new ServiceError('invalid_amount')
  return micros
}

/** The transfer with a wallet replaced by its owner's account. */
export const ofAccount = (ctx: Context, { body }: Transfer): Transfer['body'] => ({ ...body, address: ctx.wallets.accountOf(body.address) })

const balanceOf = (ctx: Context, account: Hex): string => formatUsdc(ctx.exchange.balance(account).free)

/**
 * Refuses to move real money for a wallet that is only claimed, because it may belong to another owner: the operator must name the account
 * itself. In a sandbox every registered wallet counts as its owner's. Throws `wallet_taken`.
 */
export function requireProven({ wallets, settings }: Context, { body: { address } }: Transfer): void {
  const account = wallets.accountOf(address)
  if (settings.sandbox || wallets.earnerOf(address) === account) return
  throw new ServiceError('wallet_taken', {
    text: 'this wallet is claimed and its owner is not proven: name the account',
    details: { claimed_by: getAddress(account) },
  })
}

/** Refuses credits that no deposit of the vault stands for, where there is one: with them the exchange owes more than the vault holds. */
export function requireOnChain({ settings: { vault, chainId } }: Context, ref: string): void {
  if (vault && !new RegExp(`^deposit:${chainId}:${vault}:[1-9][0-9]{0,15}$`).test(ref)) throw new ServiceError('not_from_chain')
}

/**
 * Credits an account, once per `ref`. Throws `wallet_taken` for a wallet that is only claimed, outside the sandbox, and `not_from_chain` for what
 * did not come through the vault, where one holds real money.
 */
export async function deposit(ctx: Context, _: Trader, transfer: Transfer) {
  requireOnChain(ctx, transfer.body.ref)
  const body = ofAccount(ctx, transfer)
  const amount = amountOf(body.amount)
  await once(ctx, body, 'deposit', amount, (ref) => {
    requireProven(ctx, transfer)
    return ctx.venue.submit({ type: 'deposit', account: body.address, amount, ref })
  })
  return { ref: body.ref, status: 'deposited' as const, balance: balanceOf(ctx, body.address) }
}

/** Sets money of an account aside for a withdrawal, once per `ref`. Throws `wallet_taken` like `deposit`. */
export async function withdraw(ctx: Context, _: Trader, transfer: Transfer) {
  const body = ofAccount(ctx, transfer)
  const amount = amountOf(body.amount)
  const state = await once(ctx, body, 'withdrawal', amount, (ref) => {
    requireProven(ctx, transfer)
    return ctx.venue.submit({ type: 'withdraw', account: body.address, amount, ref })
  })
  const status = state === 'settled' || state === 'returned' ? state : ('withdrawing' as const)
  return { ref: body.ref, status, balance: balanceOf(ctx, body.address) }
}

/**
 * Makes a transfer unless history has its ref: then returns its state, or throws `duplicate_ref` when its content differs. Null when it was
 * made now.
 */
async function once(
  ctx: Context,
  { ref, address }: Transfer['body'],
  kind: 'deposit' | 'withdrawal',
  amount: number,
  submit: (ref: Hex) => Promise<Result>,
): Promise<TransferRecord['state'] | null> {
  const hash = referenceHash(ref)
  const known = async () => {
    const found = await ctx.lookUps.transfer(hash)
    if (found && (found.kind !== kind || found.account !== address || found.amount !== amount)) throw new ServiceError('duplicate_ref')
    return found?.state ?? null
  }
  const earlier = await known()
  if (earlier) return earlier
  const result = await submit(hash)
  const answer = result.events[0]
  if (answer?.type === 'refused' && answer.code === 'duplicate_ref') {
    await ctx.venue.readModel.waitFor(result.seq) // the first one may be too recent for history
    const state = await known()
    if (state) return state
  }
  accepted(result)
  return null
}

interface ByRef {
  params: { ref: string }
}

/** What history keeps of a `ref`. */
const HASH = /^0x[0-9a-f]{64}$/

/** The hash that a withdrawal is known by. May be given itself: after a restore of the site that asked for it, its `ref` may be lost. */
async function hashOf(ctx: Context, ref: string): Promise<Hex> {
  const hash = referenceHash(ref)
  return HASH.test(ref) && !(await ctx.lookUps.transfer(hash)) ? (ref as Hex) : hash
}

async function end(ctx: Context, { params }: ByRef, outcome: 'settled' | 'returned') {
  const ref = await hashOf(ctx, params.ref)
  const result = await ctx.venue.submit({ type: 'end_withdrawal', ref, outcome })
  await ctx.venue.readModel.waitFor(result.seq)
  const found = await ctx.lookUps.transfer(ref)
  const answer = result.events[0]
  // Repeating the same end succeeds.
  if (answer?.type === 'refused' && found?.state !== outcome) throw new ServiceError(found ? 'duplicate_ref' : 'unknown_ref')
  if (!found) throw new ServiceError('unknown_ref')
  return { ref: params.ref, status: outcome, balance: balanceOf(ctx, found.account) }
}

/** Ends a withdrawal whose money has left. */
export const settleWithdrawal = (ctx: Context, _: Trader, input: ByRef) => end(ctx, input, 'settled')
/** Ends a withdrawal by giving its money back to the account. */
export const returnWithdrawal = (ctx: Context, _: Trader, input: ByRef) => end(ctx, input, 'returned')
