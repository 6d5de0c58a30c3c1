import type { VenueClient } from '@augury/client/rest'
import type { Input, Output } from '@augury/wire/operation'
import type { portfolioOperations } from '@augury/wire/platform/portfolio'
import type { Member } from '../authorization/viewer.ts'
import type { Site } from '../site/site.ts'
import { asMember } from '../trading/member-exchange.ts'

type Operations = typeof portfolioOperations

/** Makes a use case that passes a member's request on to the exchange and returns its answer. */
const change =
  <Name extends keyof Operations>(
    ask: (exchange: VenueClient, body: Input<Operations[Name]>['body']) => Promise<Output<Operations[Name]>>,
  ) =>
  (site: Site, member: Member, { body }: Pick<Input<Operations[Name]>, 'body'>): Promise<Output<Operations[Name]>> =>
    asMember(site, member, (exchange) => ask(exchange, body), { changes: true })

/** Turns USDC into as many Yes and No shares. */
export const splitPosition = change<'splitPosition'>((exchange, body) => exchange.splitPosition({ body }))

/** Turns pairs of Yes and No shares back into USDC. */
export const mergePosition = change<'mergePosition'>((exchange, body) => exchange.mergePosition({ body }))

/** Turns No shares of several markets of an event into USDC and Yes shares of the others. */
export const convertPosition = change<'convertPosition'>((exchange, body) => exchange.convertPosition({ body }))

/** Claims what a resolved market pays; without a market, what all of them pay. */
export const claimPositions = change<'claimPositions'>((exchange, body) => exchange.redeemPosition(body ? { body } : {}))

/** Cancels all open orders, or all of one market. */
export const cancelAllOrders = change<'cancelAllOrders'>((exchange, { market }) =>
  market === undefined ? exchange.cancelAll() : exchange.cancelMarketOrders({ body: { market } }),
)
