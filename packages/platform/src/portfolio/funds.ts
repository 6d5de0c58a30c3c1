import type { VenueClient } from '@augury/client/rest'
import type { Activity, Position } from '@augury/wire/data'
import type { Input } from '@augury/wire/operation'
import type { Funds, portfolioOperations } from '@augury/wire/platform/portfolio'
import type { BalanceProof } from '@augury/wire/proof'
import { ServiceError } from '@augury/wire/service-error'
import type { Member } from '../authorization/viewer.ts'
import { asRefusal } from '../exchange/exchange-refusals.ts'
import type { Site } from '../site/site.ts'
import { asMember } from '../trading/member-exchange.ts'

type Operations = typeof portfolioOperations

/**
 * The member's balances, without cash when this device may not use the credentials, and whether it can place orders: it cannot either while
 * the exchange requires a proxy wallet that the member does not have. Throws `service_unavailable`.
 */
export async function getFunds(site: Site, member: Member): Promise<Funds> {
  const [cash, [worth]] = await Promise.all([
    cashOf(site, member),
    anybody(site, (exchange) => exchange.getValue({ query: { user: member.address } })),
  ])
  const { value, initialValue: cost, unpricedValue: unpriced, profit, realizedPnl: realised, cashPnl: unrealised, fees, rewards } = worth!
  const figures = { value, cost, unpriced, profit, realised, unrealised, fees, rewards }
  return { usable: cash?.mayTrade ?? false, cash: cash?.money ?? null, holds: cash?.holds ?? [], ...figures }
}

async function cashOf(site: Site, member: Member) {
  try {
    return await asMember(site, member, async (exchange) => {
      const [{ balance, reserved, available, proxy_wallet_missing }, holds] = await Promise.all([
        exchange.getBalance({ query: { asset_type: 'COLLATERAL' } }),
        exchange.listHolds(),
      ])
      return { money: { balance, reserved, available }, holds, mayTrade: !proxy_wallet_missing }
    })
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'trading_not_enabled') return null
    throw error
  }
}

/** The exchange's proof of the member's balances at its newest signed root. Throws `trading_not_enabled` and `not_found`. */
export const getOwnProof = (site: Site, member: Member): Promise<BalanceProof> =>
  asMember(site, member, (exchange) => exchange.getBalanceProof())

/** The member's positions, largest value first. */
export const listPositions = (
  site: Site,
  member: Member,
  { query }: Pick<Input<Operations['listPositions']>, 'query'>,
): Promise<Position[]> => {
  const { limit, offset } = query
  const asked = { user: member.address, ...marketsOf(query), limit, offset, sortBy: 'CURRENT' } as const
  return anybody(site, (exchange) => exchange.listPositions({ query: asked }))
}

/** Trades and other changes of the member's balances, newest first. */
export const listOwnActivity = (
  site: Site,
  member: Member,
  { query }: Pick<Input<Operations['listOwnActivity']>, 'query'>,
): Promise<Activity[]> => {
  const { limit, offset, type, end, groupBy } = query
  const bounds = { ...(type.length > 0 ? { type: type.join() } : {}), ...(end === undefined ? {} : { end }) }
  const asked = { user: member.address, ...marketsOf(query), limit, offset, ...(groupBy && { groupBy }), ...bounds }
  return anybody(site, (exchange) => exchange.listActivity({ query: asked }))
}

const marketsOf = ({ market }: { market: readonly string[] }) => (market.length > 0 ? { market: market.join() } : {})

/** Makes a public request to the exchange. */
async function anybody<Answer>(site: Site, ask: (exchange: VenueClient) => Promise<Answer>): Promise<Answer> {
  try {
    return await ask(site.exchange.anybody)
  } catch (error) {
    throw asRefusal(error, false)
  }
}
