import { z } from 'zod'
import { anyDecimal, checksumAddress, iso, isoOrNull, outcomeIndex } from './scalars.ts'

/**
 * Rows of the data service. Amounts are numbers of shares or USDC, exact to a millionth. Names and pictures are empty, as the exchange knows
 * only addresses. Costs are without fees. A share of a pair that was split or merged counts 0.50. Among the open answers of an event, where
 * shares are also converted, a Yes counts an equal part of what these answers pay together, and a No the rest of 1. Shares that leave take
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

/** What somebody holds of a token. */
export const position = z.object({
  ...token,
  size: z.number(),
  /** What a share that is held cost. */
  avgPrice: z.number(),
  /** `size` at the average price, and at the displayed one. */
  initialValue: z.number(),
  currentValue: z.number(),
  cashPnl: z.number(),
  percentPnl: z.number(),
  /** Shares that ever came, by whichever way. */
  totalBought: z.number(),
  realizedPnl: z.number(),
  percentRealizedPnl: z.number(),
  curPrice: z.number(),
  /** False while nobody quotes the market or ever traded in it: the half that `curPrice` says is no price, and `currentValue` is what it cost. */
  priced: z.boolean(),
  redeemable: z.boolean(),
  mergeable: z.boolean(),
  ...market,
})

/** What somebody held of a token, and holds no more. */
export const closedPosition = z.object({
  ...token,
  /** What a share cost, of all that ever came. */
  avgPrice: z.number(),
  totalBought: z.number(),
  realizedPnl: z.number(),
  curPrice: z.number(),
  /** Unix seconds at which the last of it went. */
  timestamp: z.int(),
  timestamp_iso: iso,
  ...market,
})

/** What all that somebody holds is worth, and what it cost; and what they gained by all that they ever held. */
export const holdingsValue = z.object({
  user: checksumAddress,
  value: z.number(),
  initialValue: z.number(),
  cashPnl: z.number(),
  /** The part of `value` that nobody has named a price for, and that counts what it cost. */
  unpricedValue: z.number(),
  realizedPnl: z.number(),
})

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

/** Something that changed what somebody has. Where several markets of an event are concerned the texts are the event's, and there is no `slug`. */
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
})

export const marketValue = z.object({ market: z.string(), value: z.number() })

/** What somebody traded as taker and as maker. `volume` in USDC at the prices of their own side, without fees. */
export const trader = z.object({ user: checksumAddress, volume: anyDecimal, trades: z.int() })

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
export type ClosedPosition = z.output<typeof closedPosition>
export type TokenHolders = z.output<typeof tokenHolders>
export type ActivityType = z.output<typeof activityType>
export type Activity = z.output<typeof activity>
export type TraderTotals = z.output<typeof trader>
export type Leader = z.output<typeof leader>
