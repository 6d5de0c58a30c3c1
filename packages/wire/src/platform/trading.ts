import { z } from 'zod'
import { cancelRefused, cancelResult } from '../cancel-result.ts'
import { relayedLogin } from '../credentials.ts'
import { operation } from '../operation.ts'
import { placing } from '../operations/orders.ts'
import { plainOrder } from '../order-body.ts'
import { orderResult, placeRefused } from '../order-result.ts'
import { page } from '../page.ts'
import { cursor, publicQuery } from '../query.ts'
import { address, anyId, bytes32, micros, orderType, tokenText } from '../scalars.ts'
import { answering, managing } from './asks-exchange.ts'

const iso = z.iso.datetime()
const set = z.enum(['clob', 'relayer'])
const stored = z.object({ enabled: z.boolean(), updatedAt: iso.nullable() })
const secretText = z.string().regex(/^[\x21-\x7e]{1,256}$/, 'expected visible characters')

/**
 * Which credentials are stored, and whether this device may use them. `clob` signs requests to the exchange. `relayer` is reserved: it keeps the
 * credentials of a relayer that the member uses elsewhere, and nothing of this site sends them. `login` has the values for the typed data `ApiKeyRequest` (`POST`, `path`,
 * `host`) that the wallet signs to enable trading.
 */
const tradingCredentials = z.object({
  clob: stored,
  relayer: stored,
  usable: z.boolean(),
  login: z.object({ chainId: z.int(), host: z.string(), path: z.string(), nonce: z.string() }),
})

/**
 * `context` identifies the device of a script, which sends it as the header `X-Trading-Context`; null for browsers, which get a cookie.
 * `proxy_wallet_missing`: the exchange refuses orders until the member has signed for a proxy wallet, at `POST /api/proxy-wallet`.
 */
const savedCredentials = tradingCredentials.extend({ context: z.string().nullable(), proxy_wallet_missing: z.boolean() })

/** An open order of a member. Amounts in millionths of shares or USDC, depending on the side of the order. */
export const openOrder = z.object({
  id: z.string(),
  side: z.enum(['buy', 'sell']),
  type: orderType,
  status: z.enum(['live', 'partially_filled']),
  price: z.number().min(0).max(1),
  maker_amount: micros,
  taker_amount: micros,
  size_matched: micros,
  created_at: iso,
  expiration: iso.nullable(),
  outcome: z.object({ index: z.int(), text: z.string() }),
  market: z.object({
    condition_id: z.string(),
    title: z.string(),
    slug: z.string(),
    is_active: z.boolean(),
    is_resolved: z.boolean(),
    icon_url: z.string(),
    event_slug: z.string(),
    event_title: z.string(),
  }),
})

const member = { auth: 'member', repeatable: true } as const

/** Enabling trading, and orders signed by the server for a member. */
export const tradingOperations = {
  getTradingCredentials: operation({
    ...member,
    method: 'GET',
    path: '/api/trading-credentials',
    summary: 'Which trading credentials are stored, whether this device may use them, and what to sign to enable trading.',
    output: tradingCredentials,
    refusals: [],
  }),
  saveTradingCredentials: operation({
    ...member,
    method: 'POST',
    path: '/api/trading-credentials',
    budget: 'credentials',
    summary: 'Enables trading on this device: the wallet’s signature is handed to the exchange, and the key it gives is stored sealed.',
    body: z.discriminatedUnion('set', [
      z.strictObject({ set: z.literal('clob'), ...relayedLogin.shape }),
      z.strictObject({ set: z.literal('relayer'), address, key: secretText, secret: secretText, passphrase: secretText }),
    ]),
    output: savedCredentials,
    refusals: [
      'step_up_required',
      'other_wallet',
      'stale_login',
      'bad_login',
      'key_not_created',
      'scope_conflict',
      'account_banned',
      ...managing,
    ],
  }),
  enableTrading: operation({
    ...member,
    method: 'POST',
    path: '/api/trading-credentials/own-key',
    budget: 'credentials',
    summary: 'Enables trading on this device for an account whose key the site keeps: one that was opened with a passkey.',
    output: savedCredentials,
    refusals: ['step_up_required', 'key_not_kept', 'account_banned', 'scope_conflict', ...managing],
  }),
  deleteTradingCredentials: operation({
    ...member,
    budget: 'credentials',
    method: 'DELETE',
    path: '/api/trading-credentials',
    summary: 'Disables trading on every device: the key is revoked at the exchange and forgotten.',
    query: publicQuery({ set: set.default('clob').describe('Which credentials.') }),
    output: tradingCredentials,
    refusals: [...answering],
  }),
  placeOrder: operation({
    ...member,
    method: 'POST',
    path: '/api/orders',
    budget: 'trading',
    summary: 'Places an order with the member’s stored credentials.',
    body: plainOrder,
    output: orderResult,
    refusals: ['trading_not_enabled', 'taking_break', 'own_limit', 'insufficient_scope', 'outcome_unknown', ...placing],
    refusalExtras: placeRefused,
    repeatable: false,
  }),
  cancelOrder: operation({
    ...member,
    method: 'DELETE',
    path: '/api/orders/{id}',
    budget: 'trading',
    summary: 'Cancels an open order of the member.',
    params: z.object({ id: anyId }),
    output: cancelResult,
    refusals: [
      'trading_not_enabled',
      'outcome_unknown',
      'proxy_wallet_missing',
      'order_not_found',
      'order_not_owned',
      'order_ended',
      'cancel_failed',
      'read_model_lagging',
      ...answering,
    ],
    refusalExtras: cancelRefused,
  }),
  listOpenOrders: operation({
    ...member,
    method: 'GET',
    path: '/api/open-orders',
    summary: 'The member’s open orders, oldest first; none on a device that may not use the credentials.',
    query: publicQuery({
      id: anyId.optional().describe('Id of an order.'),
      market: anyId.optional().describe('Id of a market.'),
      asset_id: tokenText.optional().describe('Id of a token.'),
      next_cursor: cursor.optional(),
    }),
    output: page(openOrder),
    refusals: [...answering],
  }),
  listEventOpenOrders: operation({
    ...member,
    method: 'GET',
    path: '/api/events/{slug}/open-orders',
    summary: 'The member’s open orders in one event, oldest first.',
    params: z.object({ slug: z.string().min(1).max(200) }),
    query: publicQuery({ conditionId: bytes32.optional().describe('Id of one of its markets.') }),
    output: page(openOrder),
    refusals: ['event_not_found', ...answering],
  }),
} as const

export type OpenOrder = z.output<typeof openOrder>
