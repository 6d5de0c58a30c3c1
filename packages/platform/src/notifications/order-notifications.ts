import { NoAnswerError } from '@augury/client/answer'
import type { Notification } from '@augury/wire/notification'
import { ServiceError } from '@augury/wire/service-error'
import type { Member } from '../identity/viewer.ts'
import type { Site } from '../site.ts'
import { marketTexts } from '../trading/market-texts.ts'
import { asMember } from '../trading/member-exchange.ts'
import { notify, type Told } from './notify.ts'

/**
 * Tells a member of orders that were filled, or ended without being asked to, as the exchange lists them. Where this device may not use
 * the credentials, or the exchange does not answer, there is nothing new.
 */
export async function tellOfOrders(site: Site, member: Member): Promise<void> {
  const found = await untold(site, member, await ask(site, member))
  if (found.length === 0) return
  const texts = await marketTexts(site, [...new Set(found.map(({ payload }) => payload.market))])
  await site.em().transactional(async (em) => {
    for (const each of found) await notify(em, member.id, tell(each, texts.get(each.payload.market)?.title ?? ''))
  })
}

const sourceOf = ({ id, payload }: Notification) => `order:${payload.orderId}:${id}`

/** Those of which the member was not told yet. */
async function untold(site: Site, member: Member, found: readonly Notification[]): Promise<Notification[]> {
  if (found.length === 0) return []
  const rows: { source: string }[] = await site
    .em()
    .execute('select source from notification where user_id = ? and source in (select value from jsonb_array_elements_text(?::jsonb))', [
      member.id,
      JSON.stringify(found.map(sourceOf)),
    ])
  const told = new Set(rows.map(({ source }) => source))
  return found.filter((each) => !told.has(sourceOf(each)))
}

async function ask(site: Site, member: Member): Promise<Notification[]> {
  try {
    return await asMember(site, member, (exchange) => exchange.listNotifications())
  } catch (error) {
    if (error instanceof ServiceError || error instanceof NoAnswerError) return []
    throw error
  }
}

const ENDS: Readonly<Record<string, string>> = { filled: 'Order filled', expired: 'Order expired', cancelled: 'Order cancelled' }

function tell(notification: Notification, title: string): Told {
  const { timestamp, payload } = notification
  const { orderId, state, side, size_matched, original_size, outcome, price, avg_price, market, cancel_reason } = payload
  const verb = side === 'BUY' ? 'Bought' : 'Sold'
  const done = `${verb} ${size_matched} of ${original_size} ${outcome} at ${avg_price ?? price}`
  return {
    source: sourceOf(notification),
    category: 'trade',
    title: ENDS[state] ?? 'Order ended',
    description: title === '' ? `${done}.` : `${done}: ${title}`,
    metadata: { order_id: orderId, condition_id: market, state, side, outcome, price, size_matched, reason: cancel_reason },
    link: { type: 'order', target: orderId },
    at: new Date(timestamp * 1000),
  }
}
