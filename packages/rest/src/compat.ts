import { textInTurns } from '@augury/venue/base/in-turns'
import { tierOf } from '@augury/venue/serve/access/budgets'
import type { Identity } from '@augury/venue/serve/access/identity'
import type { Edge } from '@augury/venue/serve/edge'
import { findToken, tokenIds } from '@augury/venue/serve/operations/get-books'
import { compatStatus } from '@augury/venue/serve/views/order-view'
import type { CancelManyResult } from '@augury/wire/cancel-result'
import {
  type CompatActivityQuery,
  type CompatMarketsQuery,
  type CompatTradesQuery,
  compatActivityQuery,
  compatClosedPositionsQuery,
  compatHoldersQuery,
  compatLiveVolumeQuery,
  compatPositionsQuery,
  compatTradesQuery,
} from '@augury/wire/compat-data'
import { compatQuery } from '@augury/wire/compat-names'
import type { AccountingSnapshot, TokenHolders } from '@augury/wire/data'
import type { Notification } from '@augury/wire/notification'
import type { Operation, Output, VenueOperation } from '@augury/wire/operation'
import { type VenueOperationName, venueOperations, venueRow } from '@augury/wire/operations/venue'
import type { Order, OrderLookup } from '@augury/wire/order'
import type { OrderLegResult, PlaceRefused } from '@augury/wire/order-result'
import { type RefusalCode, refusals } from '@augury/wire/refusals'
import { ServiceError } from '@augury/wire/service-error'
import type { TokenBatch } from '@augury/wire/token-batch'
import type { Answer, Parts } from './answer.ts'
import { catalogueRefusal, isOfCatalogue } from './compat-catalogue.ts'
import {
  compatActivity,
  compatHolders,
  compatNotifications,
  compatPosition,
  compatSnapshot,
  compatTrades,
  marketsOf,
  type ValuedRow,
} from './compat-data.ts'

/** Mount path of the established dialect. */
export const COMPAT = '/compat'
const PREFIX = 'compat '

/** The operations below the mount, under names of their own: all except those for managing the venue. */
export const compatOperations = (operations: Readonly<Record<string, VenueOperation>>): Record<string, Operation> =>
  Object.fromEntries(
    Object.entries(operations)
      .filter(([, { auth, sandbox }]) => auth !== 'operator' && auth !== 'venue' && !sandbox)
      .flatMap(([name, operation]) =>
        [operation.path, ...(operation.alsoAt ?? [])].map((path) => [
          path === operation.path ? PREFIX + name : `${PREFIX}${name} ${path}`,
          { ...operation, query: compatQuery(name, { ...operation, ...ASKED_OTHERWISE[name] }), path: COMPAT + path },
        ]),
      ),
  )

/** Operations with another input or method there. */
const ASKED_OTHERWISE: Readonly<Record<string, Partial<Operation>>> = {
  listTrades: { query: compatTradesQuery },
  listPositions: { query: compatPositionsQuery },
  listClosedPositions: { query: compatClosedPositionsQuery },
  listActivity: { query: compatActivityQuery },
  listHolders: { query: compatHoldersQuery },
  getLiveVolume: { query: compatLiveVolumeQuery },
}

/** The operation behind a name of `compatOperations`, or null when the name is none of them. */
export const compatName = (name: string): VenueOperationName | null => {
  if (!name.startsWith(PREFIX)) return null
  return name.slice(PREFIX.length).split(' ')[0] as VenueOperationName
}

/** Texts of the established dialect for why an order was not cancelled. They reveal nothing about other accounts' orders. */
const NOT_CANCELED: Partial<Record<RefusalCode, string>> = {
  order_ended: 'already canceled or matched',
  order_not_found: 'order not found',
  order_not_owned: 'order not found',
}
const theirReasons = new Map(Object.entries(NOT_CANCELED).map(([code, text]) => [refusals[code as RefusalCode].text, text]))

const canceled = ({ canceled, not_canceled }: CancelManyResult): CancelManyResult => ({
  canceled,
  not_canceled: Object.fromEntries(Object.entries(not_canceled).map(([id, text]) => [id, theirReasons.get(text) ?? text])),
})

/** Whether an answer repeats one to an order that has ended since; there, that order is a duplicate. */
const hasEnded = ({ replayed, state }: Pick<PlaceRefused, 'replayed' | 'state'>): boolean =>
  replayed === true && state !== 'live' && state !== 'partially_filled'

const duplicate = (orderID = ''): ServiceError => new ServiceError('duplicate_order', { values: { id: orderID }, extras: { orderID } })

/** Places one order or a batch. Throws `duplicate_order` for a single order that was placed before and has ended. */
async function place(edge: Edge, name: VenueOperationName, identity: Identity, parts: Parts): Promise<OrderLegResult | OrderLegResult[]> {
  try {
    const legs = (await edge.run(name, identity, parts)) as OrderLegResult | OrderLegResult[]
    if (Array.isArray(legs) || !hasEnded(legs)) return legs
    throw duplicate(legs.orderID)
  } catch (error) {
    const { replayed, orderID } = (error instanceof ServiceError ? (error.extras ?? {}) : {}) as PlaceRefused
    throw replayed ? duplicate(orderID) : error
  }
}

/** An order's result in the established shape, with empty amounts if nothing was filled. */
function placed(leg: OrderLegResult) {
  if (!leg.success || hasEnded(leg)) {
    const { orderID = '' } = leg
    const errorMsg =
      leg.success || leg.replayed ? duplicate(orderID).message : theirWords('placeOrders', leg.code as RefusalCode, leg.errorMsg)
    const details = leg.success || leg.details === undefined ? {} : { details: leg.details }
    const nothing = { status: '', makingAmount: '', takingAmount: '', transactionsHashes: [], tradeIDs: [] }
    return { success: false, errorMsg, orderID, ...nothing, ...details }
  }
  const { success, errorMsg, orderID, status, transactionsHashes, tradeIDs } = leg
  const executed = leg.size_matched !== '0'
  const amounts = { makingAmount: executed ? leg.makingAmount : '', takingAmount: executed ? leg.takingAmount : '' }
  return { success, errorMsg, orderID, status, ...amounts, transactionsHashes, tradeIDs }
}

/** Whole books, best last; unknown tokens are omitted. */
function books({ context }: Edge, { body }: Parts): string {
  const found = tokenIds(body as TokenBatch).flatMap((id) => findToken(context, id) ?? [])
  return `[${found.map((token) => context.books.text(token, 'best_last')).join(',')}]`
}

/** Runs an operation and returns its body in the established dialect. Throws as `edge.run` does. */
export async function compatText(edge: Edge, name: VenueOperationName, identity: Identity, parts: Parts): Promise<Answer['body']> {
  switch (name) {
    case 'getBooks':
      return books(edge, parts)
    case 'cancelOrder':
    case 'cancelOrderById':
      return JSON.stringify(canceled(await cancelOne(edge, name, identity, parts)))
    case 'cancelOrders':
      return JSON.stringify(canceled((await edge.run(name, identity, parts)) as CancelManyResult))
    case 'placeOrder':
    case 'placeOrders': {
      const legs = await place(edge, name, identity, parts)
      return JSON.stringify(Array.isArray(legs) ? legs.map(placed) : placed(legs))
    }
    case 'getOrder':
      return orderOrNull(edge, identity, parts)
    case 'lookUpOrders': {
      const rows = (await edge.run(name, identity, parts)) as OrderLookup[]
      return textInTurns(rows.map((row) => (row.order ? { ...row, order: inTheirWord(row.order) } : row)))
    }
    case 'listEvents': {
      const page = (await edge.run(name, identity, parts)) as Output<typeof venueOperations.listEvents>
      return textInTurns({ ...page, data: page.data.map((event) => (event.event_type === 'order' ? inTheirWord(event) : event)) })
    }
    case 'listTrades':
      return JSON.stringify(await compatTrades(edge, identity, parts.query as CompatTradesQuery))
    case 'listActivity':
      return JSON.stringify(await compatActivity(edge, identity, parts.query as CompatActivityQuery))
    case 'listPositions':
    case 'listClosedPositions':
    case 'getLiveVolume': {
      const market = await marketsOf(edge, parts.query as CompatMarketsQuery)
      const isOfNone = market === undefined ? name === 'getLiveVolume' : market.length === 0
      if (isOfNone) return '[]'
      const asked = { ...parts, query: { ...(parts.query as object), market } }
      if (name === 'getLiveVolume') return edge.text(name, identity, () => asked)
      return textInTurns(((await edge.run(name, identity, asked)) as ValuedRow[]).map(compatPosition))
    }
    case 'listHolders':
      return JSON.stringify(((await edge.run(name, identity, parts)) as TokenHolders[]).map(compatHolders))
    case 'getAccountingSnapshot':
      return compatSnapshot((await edge.run(name, identity, parts)) as AccountingSnapshot)
    case 'listNotifications':
      return JSON.stringify(await compatNotifications(edge, (await edge.run(name, identity, parts)) as Notification[]))
    default:
      return hasPrices(name) ? withNumbers(name, await edge.text(name, identity, () => parts)) : edge.text(name, identity, () => parts)
  }
}

/** What stands there for the price of an empty side, or of a token that never traded. */
const NO_PRICE: Partial<Record<VenueOperationName, string>> = {
  getPrice: '"0"',
  getPrices: '"0"',
  queryPrices: '"0"',
  getLastTradePrice: '"0.5"',
}
const hasPrices = (name: VenueOperationName): boolean => name in NO_PRICE || /Market|Catalogue/.test(name)

/** Replaces missing prices by numbers, because strict clients expect them: in markets, and 0 as the last trade price without trades. */
function withNumbers(name: VenueOperationName, text: string): string {
  const alone = NO_PRICE[name]
  if (alone) return text.replaceAll('null', alone)
  return text.replaceAll('"price":null', '"price":0').replaceAll('"outcomePrices":null', String.raw`"outcomePrices":"[\"0\",\"0\"]"`)
}

const inTheirWord = <T extends Pick<Order, 'status'>>(order: T): T => ({ ...order, status: compatStatus(order.status) })

/** There, an unknown order is null instead of an error. */
async function orderOrNull(edge: Edge, identity: Identity, parts: Parts): Promise<string> {
  try {
    return JSON.stringify(inTheirWord((await edge.run('getOrder', identity, parts)) as Order))
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'order_not_found') return 'null'
    throw error
  }
}

/** There, an order that cannot be cancelled is part of a successful response. */
async function cancelOne(edge: Edge, name: VenueOperationName, identity: Identity, parts: Parts): Promise<CancelManyResult> {
  try {
    return (await edge.run(name, identity, parts)) as CancelManyResult
  } catch (error) {
    if (error instanceof ServiceError && NOT_CANCELED[error.code]) return error.extras as unknown as CancelManyResult
    throw error
  }
}

const NOT_READY = 'the market is not yet ready to process new orders'
/** Texts of refusals that differ from ours. */
const TEXTS: Partial<Record<RefusalCode, string>> = {
  bad_headers: 'Unauthorized/Invalid api key',
  unknown_key: 'Unauthorized/Invalid api key',
  stale_timestamp: 'Unauthorized/Invalid api key',
  bad_signature: 'Unauthorized/Invalid api key',
  bad_passphrase: 'Unauthorized/Invalid api key',
  market_closed: NOT_READY,
  market_paused: NOT_READY,
  bad_order_signature: 'invalid signature',
  wrong_exchange_domain: 'invalid signature',
  proxy_wallet_missing:
    'maker address not allowed: it is none of the wallets derived from the owner of the API key; register it with POST /auth/wallets/{address}/{signature_type}',
}

const { text: UNREADABLE } = refusals.invalid_payload
/** Texts for invalid requests, by operation; others are named by the invalid part. */
const UNREADABLE_REQUESTS: Partial<Record<VenueOperationName, string>> = {
  placeOrder: 'Invalid order payload',
  placeOrders: 'Invalid order payload',
  cancelOrder: 'Invalid orderID',
  cancelOrders: 'Invalid order payload',
  cancelMarketOrders: 'Invalid order payload',
  listOrders: 'invalid order params payload',
  listOwnTrades: 'Invalid trade params payload',
}
const UNREADABLE_PARTS: Readonly<Record<string, string>> = {
  token_id: 'Invalid token id',
  side: 'Invalid side',
  asset_type: 'Invalid asset type',
}

/** Text of a refusal in the established dialect. `details` are the problems found by the schema. */
function theirWords(name: VenueOperationName, code: RefusalCode, text: string, details?: unknown): string {
  if (code !== 'invalid_payload' || text !== UNREADABLE) return TEXTS[code] ?? text
  const part = Array.isArray(details) ? String(details[0]?.path).split('.')[0]! : ''
  const isOfQuery = part !== '' && venueOperations[name].method === 'GET'
  return UNREADABLE_REQUESTS[name] ?? UNREADABLE_PARTS[part] ?? (isOfQuery ? `Invalid ${part}` : UNREADABLE)
}

/** Additional keys of refusals that established clients read: the order concerned, and the expected heartbeat id. */
const TOLD: ReadonlySet<string> = new Set(['orderID', 'heartbeat_id'])

/** Why a login was refused; where another signature came, which chains it may be signed for, as clients have a chain built in. */
function loginText({ code, details }: ServiceError): string {
  const { compat_chain_ids: chains } = (details ?? {}) as { compat_chain_ids?: number[] }
  const served =
    code === 'bad_signature' && chains ? `: the login must be signed by the named address for chain ${chains.join(' or ')}` : ''
  return `Invalid L1 Request headers${served}`
}

/** A refusal in the established dialect: an order is refused with 400 unless the service is unavailable. */
export function compatRefusal(name: VenueOperationName, error: ServiceError, headers: Record<string, string>): Answer {
  const found = isOfCatalogue(name) ? catalogueRefusal(name, error, headers) : null
  if (found) return found
  const isLogin = error.status === 401 && (name === 'createKey' || name === 'deriveKey')
  const isOrders =
    venueRow(name).orders === 'places' && error.status > 401 && error.status < 429 && error.status !== 413 && error.status !== 415
  const text = isLogin ? loginText(error) : theirWords(name, error.code, error.message, error.details)
  const inMode = error.code === 'post_only_mode' ? { retry_after_seconds: error.retryAfter ?? 1 } : {}
  const toNewer = error.code === 'stale_heartbeat' ? { error_msg: 'Invalid Heartbeat ID' } : {} // clients compare this text
  const details = error.details === undefined ? {} : { details: error.details }
  const extras = Object.entries(error.extras ?? {}).filter(([key]) => TOLD.has(key))
  return {
    status: isOrders ? 400 : error.status,
    headers: { ...headers, ...error.retryHeader },
    body: JSON.stringify({ error: text, code: error.code, ...details, ...Object.fromEntries(extras), ...inMode, ...toNewer }),
  }
}

/** Converts our rate-limit headers to theirs; `Reset` is a Unix time there. Their warning is for limits that are not in force yet. */
export function compatHeaders({ context }: Edge, identity: Identity | null, headers: Record<string, string>): Record<string, string> {
  const remaining = headers['RateLimit-Remaining']
  if (remaining === undefined) return headers
  const tier = identity?.kind === 'trader' ? tierOf(context.exchange.account(identity.account).tier) : 'standard'
  const reset = Math.ceil(Date.now() / 1000) + Number(headers['RateLimit-Reset'])
  const named = { 'Poly-RateLimit-Remaining': remaining, 'Poly-RateLimit-Reset': String(reset), 'Poly-RateLimit-Tier': tier }
  return { ...headers, ...named }
}
