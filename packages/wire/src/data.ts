import { z } from 'zod'
import { anyDecimal, checksumAddress, iso, isoOrNull, outcomeIndex } from './scalars.ts'

/**
 * Rows of the data service. Amounts are numbers of shares or USDC, exact to a millionth. Names and pictures are empty, as the exchange knows
 * only addresses.
 *
 * Profit is after fees: the cost of shares includes the fees paid for them, and fees of sales are taken off what the sales brought. Splitting,
 * merging and converting move cost and realise nothing: a split divides the money over its two halves (half each; among the open answers of an
 * event a Yes counts an equal part of what these answers pay together, and a No the rest of 1), a merge takes the money back out of their cost,
 * and a conversion moves the cost of the No shares, less the money received, to the Yes shares that came. Shares that are sold or paid out take
 * the average cost of those held with them.
 */
const token = {
  proxyWallet: checksumAddress,
  asset: z.string(),
  conditionId: z.string(),
}
const texts = { title: z.string(), slug: z.string(), icon: z.string(), eventSlug: z.string(), outcome: z.string(), outcomeIndex }
const market = { ...texts, oppositeOutcome: z.string(), oppositeAsset: z.string(), endDate: isoOrNull, negativeRisk: z.boolean() }
const person = { name: z.string(), pseudonym: z.string(), bio: z.string(), profileImage: z.string() }

/** A position of an account in a token. */
export const position = z.object({
  ...token,
  size: z.number(),
  /** Cost of a share that is held, fees included. */
  avgPrice: z.number(),
  /** Cost of what is held, fees included, and its value at the displayed price. */
  initialValue: z.number(),
  currentValue: z.number(),
  /** Value less cost, and that as percent of the cost. */
  cashPnl: z.number(),
  percentPnl: z.number(),
  /** Shares that ever came, by whichever way. */
  totalBought: z.number(),
  /** Profit of what was sold and paid out, after fees, and that as percent of the cost of all that left. */
  realizedPnl: z.number(),
  percentRealizedPnl: z.number(),
  /** Fees ever paid for it; the costs and profits above include them. */
  fees: z.number(),
  /** Null while the market has no quote and never had a trade; `priced` is then false, and `currentValue` is what it cost. */
  curPrice: z.number().nullable(),
  priced: z.boolean(),
  redeemable: z.boolean(),
  mergeable: z.boolean(),
  ...market,
})

/** A closed position of an account in a token. */
export const closedPosition = z.object({
  ...token,
  /** Average cost of the shares that left, fees included. */
  avgPrice: z.number(),
  totalBought: z.number(),
  realizedPnl: z.number(),
  fees: z.number(),
  curPrice: z.number().nullable(),
  /** Unix seconds at which the last of it went. */
  timestamp: z.int(),
  timestamp_iso: iso,
  ...market,
})

/**
 * The value and profit of an account's positions: of the whole account it is the value of what they have, plus what they withdrew, less what they
 * deposited. `profit` is `cashPnl` plus `realizedPnl`.
 */
export const holdingsValue = z.object({
  user: checksumAddress,
  value: z.number(),
  /** Cost of what is held, fees included. */
  initialValue: z.number(),
  /** Unrealised: `value` less `initialValue`. */
  cashPnl: z.number(),
  /** The part of `value` that has no price and counts what it cost. */
  unpricedValue: z.number(),
  /** Realised by sales and payouts, after fees, and `rewards`. */
  realizedPnl: z.number(),
  profit: z.number(),
  /** Fees ever paid; `cashPnl` and `realizedPnl` are after these. */
  fees: z.number(),
  /** Parts of fees that others paid: rebates, affiliate shares, and what is left of fees. */
  rewards: z.number(),
})

/** Profit at a time, in Unix seconds. */
export const profitPoint = z.object({ t: z.int(), profit: z.number() })

/** Holders of a token, largest first. */
export const tokenHolders = z.object({
  token: z.string(),
  holders: z.array(z.object({ proxyWallet: checksumAddress, asset: z.string(), amount: z.number(), outcomeIndex, ...person })),
})

/** The last three are parts of the fees that others paid: a maker's, of who referred the taker, and of who gets what is left. */
export const activityType = z.enum([
  'TRADE',
  'SPLIT',
  'MERGE',
  'REDEEM',
  'CONVERSION',
  'DEPOSIT',
  'WITHDRAWAL',
  'MAKER_REBATE',
  'REFERRAL_REWARD',
  'FEE',
])

/** A fill of an order. */
const orderFill = z.object({
  /** Unix seconds. */
  timestamp: z.int(),
  size: z.number(),
  price: z.number(),
  usdcSize: z.number(),
  fee: z.number(),
  transactionHash: z.string(),
})

/** An activity that changed an account's balances. Where several markets of an event are concerned the texts are the event's, and there is no `slug`. */
export const activity = z.object({
  proxyWallet: checksumAddress,
  /** Unix seconds. */
  timestamp: z.int(),
  timestamp_iso: iso,
  conditionId: z.string(),
  type: activityType,
  /** Shares; 0 for money alone. */
  size: z.number(),
  usdcSize: z.number(),
  /** USDC that were paid beside `usdcSize`; less than nothing where more of it came back. */
  fee: z.number(),
  transactionHash: z.string(),
  price: z.number(),
  asset: z.string(),
  side: z.enum(['BUY', 'SELL', '']),
  ...texts,
  outcomeIndex: z.union([outcomeIndex, z.literal(999)]),
  ...person,
  /** With `groupBy=ORDER`, the newest fills of an order, at most 100; `size`, `usdcSize`, `fee` and the average `price` are of all of them. */
  fills: z.array(orderFill).optional(),
})

export const marketValue = z.object({ market: z.string(), value: z.number() })

/** The volume and number of an account's trades as taker and as maker. `volume` in USDC at the prices of their own side, without fees. */
export const trader = z.object({ user: checksumAddress, volume: anyDecimal, trades: z.int() })

/** What one account made of a token, held or not: `totalPnl` is `cashPnl` plus `realizedPnl`. */
const marketPosition = z.object({
  ...token,
  name: z.string(),
  profileImage: z.string(),
  verified: z.boolean(),
  avgPrice: z.number(),
  size: z.number(),
  currPrice: z.number(),
  currentValue: z.number(),
  cashPnl: z.number(),
  totalBought: z.number(),
  realizedPnl: z.number(),
  totalPnl: z.number(),
  outcome: z.string(),
  outcomeIndex,
})

/** Positions of all accounts in a token. */
export const tokenPositions = z.object({ token: z.string(), positions: z.array(marketPosition) })

const valuationTime = iso
/** What an account has at a moment. `curPrice` is null while a market has no price; the value is then what was paid. */
export const accountingSnapshot = z.object({
  positions: z.array(
    z.object({ conditionId: z.string(), asset: z.string(), size: z.number(), curPrice: z.number().nullable(), valuationTime }),
  ),
  equity: z.object({ cashBalance: z.number(), positionsValue: z.number(), equity: z.number(), valuationTime }),
})

/** A place on the leaderboard. */
export const leader = z.object({
  rank: z.string(),
  proxyWallet: checksumAddress,
  userName: z.string(),
  vol: z.number(),
  pnl: z.number(),
  profileImage: z.string(),
  xUsername: z.string(),
  verifiedBadge: z.boolean(),
})

export type Position = z.output<typeof position>
export type HoldingsValue = z.output<typeof holdingsValue>
export type ProfitPoint = z.output<typeof profitPoint>
export type ClosedPosition = z.output<typeof closedPosition>
export type TokenHolders = z.output<typeof tokenHolders>
export type TokenPositions = z.output<typeof tokenPositions>
export type AccountingSnapshot = z.output<typeof accountingSnapshot>
export type ActivityType = z.output<typeof activityType>
export type Activity = z.output<typeof activity>
export type TraderTotals = z.output<typeof trader>
export type Leader = z.output<typeof leader>
