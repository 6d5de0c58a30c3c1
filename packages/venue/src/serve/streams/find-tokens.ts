import type { Exchange } from '@augury/engine/exchange'
import type { Token } from '../../base/books.ts'
import type { Markets } from '../reference/markets.ts'

/** Tokens and conditions to follow. */
export interface MarketSelection {
  assets_ids?: readonly string[] | undefined
  markets?: readonly string[] | undefined
  custom_feature_enabled?: boolean | undefined
}

/** The registered tokens among those asked for, and the ids that are unknown. */
export function findTokens(
  { markets, exchange }: { markets: Markets; exchange: Exchange },
  { assets_ids: assets = [], markets: conditions = [] }: MarketSelection,
): { found: Token[]; unknown: string[] } {
  const found: Token[] = []
  const unknown: string[] = []
  for (const id of assets) {
    const token = markets.token(id)
    if (token && exchange.condition(token.condition)) found.push(token)
    else unknown.push(id)
  }
  for (const id of conditions) {
    const market = markets.market(id)
    if (market && exchange.condition(market.condition))
      found.push(...([0, 1] as const).map((outcome) => markets.tokenOf(market.condition, outcome)))
    else unknown.push(id)
  }
  return { found, unknown }
}
