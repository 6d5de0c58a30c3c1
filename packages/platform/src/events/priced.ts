/**
 * Condition on a `market`: somebody has named a price, by an order, a trade or the result. The half that stands in for one elsewhere
 * would lead charts and mean nothing.
 */
export const PRICED = '(market.best_bid is not null or market.best_ask is not null or market.last_trade is not null or market.is_resolved)'
