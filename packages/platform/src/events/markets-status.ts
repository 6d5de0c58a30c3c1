import { Market } from '@augury/domain/platform/market.entity'
import { LAST_CURSOR } from '@augury/wire/limits'
import type { Output } from '@augury/wire/operation'
import type { platformOperations } from '@augury/wire/platform/operations'
import type { Platform } from '../site/platform.ts'

const CONDITION_ID = /^0x[0-9a-f]{64}$/

/** Whether each of these markets is active and resolved, each once, in the given order. Unknown ids are left out. */
export async function marketsStatus(
  platform: Platform,
  conditionIds: readonly string[],
): Promise<Output<typeof platformOperations.marketsStatus>> {
  const asked = [...new Set(conditionIds.map((id) => id.trim().toLowerCase()))].filter((id) => CONDITION_ID.test(id))
  const markets = await platform.em().find(Market, { conditionId: { $in: asked } }, { fields: ['conditionId', 'isActive', 'isResolved'] })
  const byId = new Map(markets.map((market) => [market.conditionId, market]))
  const data = asked.flatMap((id) => {
    const market = byId.get(id)
    return market ? [{ condition_id: id, is_active: market.isActive, is_resolved: market.isResolved }] : []
  })
  return { data, next_cursor: LAST_CURSOR }
}
