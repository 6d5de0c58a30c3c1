import { ESTABLISHED_CHAINS, orderContracts } from '@augury/signing/order-domains'
import { MICROS_PER_LOT } from '@augury/units/lots'
import type { BalanceAllowance, Hold } from '@augury/wire/balance'
import { ServiceError } from '@augury/wire/service-error'
import type { Trader } from '../access/identity.ts'
import type { Context } from './context.ts'
import { tokenOf } from './get-books.ts'
import { lacksWallet } from './manage-wallets.ts'

/** The largest uint256: a ledger needs no allowances. */
const UNLIMITED = String(2n ** 256n - 1n)
const allowances = new Map<string, Record<string, string>>()
/** Unlimited allowances for each contract that established clients look up. */
function allowancesOf({ settings: { chainId, sandbox } }: Context): Record<string, string> {
  const chains = sandbox ? [chainId, ...ESTABLISHED_CHAINS] : [chainId]
  const key = chains.join()
  const known = allowances.get(key) ?? Object.fromEntries(chains.flatMap(orderContracts).map((contract) => [contract, UNLIMITED]))
  allowances.set(key, known)
  return known
}

interface Asset {
  query: { asset_type: 'COLLATERAL' | 'CONDITIONAL'; token_id?: string | undefined }
}

/** Balance of the trader in USDC or one token, in millionths. */
export async function getBalance(ctx: Context, trader: Trader, { query }: Asset): Promise<BalanceAllowance> {
  const [free, reserved] = query.asset_type === 'COLLATERAL' ? usdc(ctx, trader) : shares(ctx, trader, query.token_id)
  return {
    balance: String(free + reserved),
    reserved: String(reserved),
    available: String(free),
    allowance: UNLIMITED,
    allowances: allowancesOf(ctx),
    ...(lacksWallet(ctx, trader.account) ? { proxy_wallet_missing: true as const } : {}),
  }
}

function usdc(ctx: Context, trader: Trader): [free: number, reserved: number] {
  const { free, held, withdrawing } = ctx.exchange.balance(trader.account)
  return [free, held + withdrawing]
}

function shares(ctx: Context, trader: Trader, tokenId: string | undefined): [free: number, reserved: number] {
  if (tokenId === undefined) throw new ServiceError('invalid_payload', { text: 'token_id is required' })
  const { condition, outcome } = tokenOf(ctx, tokenId)
  const { free, held } = ctx.exchange.shares(trader.account, condition, outcome)
  return [free * MICROS_PER_LOT, held * MICROS_PER_LOT]
}

/** Nothing to update: balances are always current. */
export const updateBalance = async (): Promise<Record<string, never>> => ({})

/** What makes funds unavailable: open orders, and pending withdrawals, whose `order_id` is empty. */
export async function listHolds(ctx: Context, trader: Trader): Promise<Hold[]> {
  const holds: Hold[] = Array.from(ctx.exchange.openOrders(trader.account), (order) => ({
    order_id: order.orderId,
    asset: order.side === 'BUY' ? 'USDC' : ctx.markets.tokensOf(order.condition)[order.outcome],
    amount: String(order.side === 'BUY' ? order.price * order.remaining : order.remaining * MICROS_PER_LOT),
    reason: 'order',
  }))
  const { withdrawing } = ctx.exchange.balance(trader.account)
  return withdrawing ? [...holds, { order_id: '', asset: 'USDC', amount: String(withdrawing), reason: 'withdrawal' }] : holds
}
