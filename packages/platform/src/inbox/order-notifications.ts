import { tables } from '@augury/domain/platform/tables'
import { parseUsdc } from '@augury/units/decimal'
import type { AccountEvent } from '@augury/wire/user-stream'
import { marketTexts } from '../catalogue/market-texts.ts'
import { inCents, inDollars } from '../notifications/figures.ts'
import { notifyAll, type Told } from '../notifications/notify.ts'
import type { Platform } from '../site/platform.ts'

type OrderEvent = Extract<AccountEvent, { event_type: 'order' }>

/** End reasons that the owner caused, and which need no notification. */
const ASKED: ReadonlySet<string | null> = new Set(['user', 'cancel_all', 'market_cancel', 'amend_replaced'])

/**
 * Notifies a member of orders that were filled, fully or for the first time in part, or ended without the member's doing. Repeated events
 * make no second notification; events from before the member joined make none. What filled as it was placed is read from the start: the
 * answer to the order has said so.
 */
export async function notifyOfEvents(platform: Platform, userId: string, events: readonly AccountEvent[]): Promise<void> {
  const found = events.filter((event): event is OrderEvent => event.event_type === 'order' && kindOf(event) !== null)
  if (found.length === 0) return
  const texts = await marketTexts(platform, [...new Set(found.map(({ market }) => market))])
  await platform.em().transactional(async (em) => {
    const user = await tables(em).selectFrom('users').select('created_at').where('id', '=', userId).executeTakeFirst()
    if (!user) return
    const told = found.map((event) => tell(event, texts.get(event.market)?.title ?? ''))
    const since = told.filter(({ at }) => at >= user.created_at)
    await notifyAll(
      em,
      since.map((each) => [userId, each] as const),
    )
  })
}

const HEADLINES = {
  order_filled: 'Order filled',
  order_partly_filled: 'Order partly filled',
  order_expired: 'Order expired',
  order_cancelled: 'Order cancelled',
} as const

/** The kind of notification; null for none. An immediate fill is only worth one when it is complete. */
function kindOf({ state, type, cancel_reason }: OrderEvent): keyof typeof HEADLINES | null {
  if (state === 'filled') return 'order_filled'
  if (state === 'partially_filled') return type === 'UPDATE' ? 'order_partly_filled' : null
  if (state !== 'cancelled' && state !== 'expired') return null
  if (ASKED.has(cancel_reason)) return null
  if (cancel_reason === 'fak_remainder') return 'order_partly_filled'
  return state === 'expired' ? 'order_expired' : 'order_cancelled'
}

function tell(event: OrderEvent, title: string): Told {
  const { orderId, type, state, side, size_matched, original_size, outcome, price, avg_price, market, cancel_reason, seq, timestamp } =
    event
  const kind = kindOf(event)!
  const done = doneOf(event)
  return {
    source: state === 'partially_filled' ? `partial_fill:${orderId}` : `order:${orderId}:${seq}`,
    category: 'trade',
    kind,
    title: HEADLINES[kind],
    description: title === '' ? `${done}.` : `${done}: ${title}`,
    metadata: {
      order_id: orderId,
      condition_id: market,
      market: title,
      reason: cancel_reason,
      state,
      side,
      outcome,
      price,
      avg_price,
      size_matched,
      original_size,
      amount: event.amount,
      amount_matched: event.amount_matched,
      fee: event.fee,
    },
    link: { type: 'order', target: orderId },
    at: new Date(Number(timestamp)),
    read: type === 'PLACEMENT' || cancel_reason === 'fak_remainder',
  }
}

/** What an order did: of shares, or of the money that a market BUY was to spend, as its size is what it got. */
function doneOf({ side, size_matched, original_size, outcome, price, avg_price, amount, amount_matched }: OrderEvent): string {
  const verb = side === 'BUY' ? 'Bought' : 'Sold'
  const at = inCents(avg_price ?? price)
  if (amount === null) return `${verb} ${size_matched} of ${original_size} ${outcome} at ${at}`
  const [asked, spent] = [parseUsdc(amount), parseUsdc(amount_matched)].map((micros) => Math.round(micros / 10_000)) as [number, number]
  const bought = `${verb} ${size_matched} ${outcome} at ${at}`
  if (asked <= spent + 1) return `${bought} for ${inDollars(parseUsdc(amount_matched))}`
  return `${bought}, spent ${inUsdc(spent)} of ${inUsdc(asked)} USDC, ${inUsdc(asked - spent)} USDC not spent`
}

/** Cents in USDC, with both decimals. */
const inUsdc = (cents: number): string => (cents / 100).toFixed(2)
