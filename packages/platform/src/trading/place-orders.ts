import type { CancelResult } from '@augury/wire/cancel-result'
import type { PlainOrder } from '@augury/wire/order-body'
import type { OrderResult } from '@augury/wire/order-result'
import { ServiceError } from '@augury/wire/service-error'
import { refuseByOwnLimits } from '../account/preferences.ts'
import type { Member } from '../authorization/viewer.ts'
import type { Site } from '../site/site.ts'
import { asMember } from './member-exchange.ts'

/**
 * Places an order for a member. Throws `trading_not_enabled`, `account_banned`, the errors of the member's own limits, and whatever the
 * exchange refuses.
 */
export async function placeOrder(site: Site, member: Member, { body }: { body: PlainOrder }): Promise<OrderResult> {
  if (member.banned) throw new ServiceError('account_banned')
  await refuseByOwnLimits(site, member, body)
  return asMember(site, member, (exchange) => exchange.placeOrder({ body }), { changes: true })
}

/** Cancels an open order of a member. Throws `trading_not_enabled` and whatever the exchange refuses. */
export function cancelOrder(site: Site, member: Member, { params }: { params: { id: string } }): Promise<CancelResult> {
  return asMember(site, member, (exchange) => exchange.cancelOrderById({ params }), { changes: true })
}
