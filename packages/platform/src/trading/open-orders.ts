import { anyOf, tables } from '@augury/domain/platform/tables'
import { parseLots, parsePrice } from '@augury/units/decimal'
import { MICROS_PER_LOT } from '@augury/units/lots'
import type { Input, Output } from '@augury/wire/operation'
import type { Order } from '@augury/wire/order'
import type { OpenOrder, tradingOperations } from '@augury/wire/platform/trading'
import { ServiceError } from '@augury/wire/service-error'
import type { Member } from '../authorization/viewer.ts'
import { type MarketTexts, marketTexts } from '../catalogue/market-texts.ts'
import type { Site } from '../site/site.ts'
import { asMember } from './member-exchange.ts'

type Operations = typeof tradingOperations
type Page = Output<Operations['listOpenOrders']>

const LAST = 'LTE='
const NONE: Page = { data: [], next_cursor: LAST }

/** A page of the member's open orders; empty where this device may not use the credentials. */
export async function listOpenOrders(
  site: Site,
  member: Member,
  { query }: Pick<Input<Operations['listOpenOrders']>, 'query'>,
): Promise<Page> {
  const found = await ask(site, member, query)
  if (!found) return NONE
  return { data: await showOrders(site, found.data), next_cursor: found.next_cursor }
}

/** All open orders of the member in an event, or in one of its markets. Throws `event_not_found`. */
export async function listEventOpenOrders(
  site: Site,
  member: Member,
  { params, query }: Pick<Input<Operations['listEventOpenOrders']>, 'params' | 'query'>,
): Promise<Page> {
  const rows = await tables(site.em())
    .selectFrom('event')
    .leftJoin('market', 'market.event_id', 'event.id')
    .select('condition_id')
    .where('event.slug', '=', params.slug)
    .where('event.status', '<>', 'draft')
    .execute()
  if (rows.length === 0) throw new ServiceError('event_not_found')
  const inEvent = new Set(rows.flatMap(({ condition_id }) => condition_id ?? []))
  if (query.conditionId !== undefined && !inEvent.has(query.conditionId)) return NONE
  // The exchange narrows to one market: of an event with several, all orders are read.
  const market = query.conditionId ?? (inEvent.size === 1 ? [...inEvent][0] : undefined)
  const orders: Order[] = []
  for (let next_cursor = ''; next_cursor !== LAST; ) {
    const found = await ask(site, member, { ...(market && { market }), ...(next_cursor === '' ? {} : { next_cursor }) })
    if (!found) return NONE
    orders.push(...found.data.filter((order) => inEvent.has(order.market)))
    next_cursor = found.next_cursor
  }
  return { data: await showOrders(site, orders), next_cursor: LAST }
}

async function ask(site: Site, member: Member, query: Input<Operations['listOpenOrders']>['query']) {
  try {
    return await asMember(site, member, (exchange) => exchange.listOrders({ query }))
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'trading_not_enabled') return null
    throw error
  }
}

/** Orders as the site shows them. */
export async function showOrders(site: Site, orders: readonly Order[]): Promise<OpenOrder[]> {
  const ids = [...new Set(orders.map(({ market }) => market))]
  const texts = await marketTexts(site, ids)
  const indices = await outcomeIndices(site, orders)
  return orders.map((order) => view(order, texts.get(order.market), indices.get(order.asset_id)))
}

async function outcomeIndices(site: Site, orders: readonly Order[]): Promise<Map<string, number>> {
  const tokens = [...new Set(orders.map(({ asset_id }) => asset_id))]
  if (tokens.length === 0) return new Map()
  const rows = await tables(site.em()).selectFrom('outcome').select(['token_id', 'index']).where('token_id', '=', anyOf(tokens)).execute()
  return new Map(rows.map(({ token_id, index }) => [token_id, index]))
}

/** An order in a market that this deployment does not list has no texts here, but it holds money all the same: it is shown. */
function view(order: Order, market: MarketTexts | undefined, index: number | undefined): OpenOrder {
  const lots = parseLots(order.original_size)
  const cash = String(parsePrice(order.price) * lots)
  const shares = String(lots * MICROS_PER_LOT)
  const buys = order.side === 'BUY'
  return {
    id: order.id,
    side: buys ? 'buy' : 'sell',
    type: order.order_type,
    status: order.state === 'partially_filled' ? 'partially_filled' : 'live',
    price: Number(order.price),
    maker_amount: buys ? cash : shares,
    taker_amount: buys ? shares : cash,
    size_matched: String(parseLots(order.size_matched) * MICROS_PER_LOT),
    created_at: new Date(order.created_at_iso).toISOString(),
    expiration: order.expiration_iso === null ? null : new Date(order.expiration_iso).toISOString(),
    outcome: { index: index ?? (order.outcome === 'No' ? 1 : 0), text: order.outcome },
    market: market ?? {
      condition_id: order.market,
      title: '',
      slug: '',
      is_active: true,
      is_resolved: false,
      icon_url: '',
      event_slug: '',
      event_title: '',
    },
  }
}
