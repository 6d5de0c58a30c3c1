/**
 * SQL condition on a `market`: it has a price, from an order, a trade or the resolution. The 0.5 that stands in for a missing price would
 * lead charts and mean nothing.
 */
export const PRICED = '(market.best_bid is not null or market.best_ask is not null or market.last_trade is not null or market.is_resolved)'
