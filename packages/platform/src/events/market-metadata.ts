import type { Input, Output } from '@augury/wire/operation'
import type { platformOperations } from '@augury/wire/platform/operations'
import { ServiceError } from '@augury/wire/service-error'
import type { Platform } from '../site/platform.ts'
import { findEvents, marketsOf } from './event-rows.ts'
import { toMarketMetadata } from './event-view.ts'

type Operation = typeof platformOperations.marketMetadata

/** Metadata of one market; `data` is null when the event has no such market. Throws `missing_condition_id` and `event_not_found`. */
export async function marketMetadata(
  platform: Platform,
  { params, query }: Pick<Input<Operation>, 'params' | 'query'>,
): Promise<Output<Operation>> {
  const conditionId = query.conditionId?.trim().toLowerCase()
  if (!conditionId) throw new ServiceError('missing_condition_id')
  const em = platform.em()
  const [event] = await findEvents(em, [{ sql: `event.slug = ? and event.status <> 'draft'`, values: [params.slug] }])
  if (!event) throw new ServiceError('event_not_found')
  const market = (await marketsOf(em, [event.id], true)).get(event.id)?.find(({ condition_id }) => condition_id === conditionId)
  return { data: market ? toMarketMetadata(event, market) : null }
}
