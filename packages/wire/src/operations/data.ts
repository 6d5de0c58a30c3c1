import { z } from 'zod'
import {
  accountingSnapshot,
  activity,
  activityType,
  closedPosition,
  holdingsValue,
  leader,
  marketValue,
  position,
  profitPoint,
  tokenHolders,
  tokenPositions,
  trader,
} from '../data.ts'
import { DEEPEST_ACTIVITY, LOOKUP_BATCH, PAGE_MAX } from '../limits.ts'
import { venueOperation } from '../operation.ts'
import { filter, flag, marketIds, pageSize, secondsText, several, skipped, strictQuery } from '../query.ts'
import { address, bytes32, amount as decimalAmount, searchText, side } from '../scalars.ts'

const read = { method: 'GET', auth: 'public', refusals: [], repeatable: true } as const
const user = { user: address }
const markets = { market: marketIds(100).optional() }
const paged = { limit: pageSize(), offset: skipped() }
const amount = (usual: number) => z.coerce.number().min(0).max(1e9).default(usual)
const upper = <Values extends [string, ...string[]]>(values: Values, usual: Values[number]) =>
  z
    .string()
    .toUpperCase()
    .pipe(z.enum(values))
    .default(usual as never)
const sortDirection = upper(['ASC', 'DESC'], 'DESC')
/** Words that occur in the market's question, whatever their case. */
const titled = { title: searchText(100).optional() }

export const dataOperations = {
  listPositions: venueOperation({
    ...read,
    path: '/positions',
    summary: 'Open positions of an account, with their cost and value.',
    query: strictQuery({
      ...user,
      ...markets,
      ...titled,
      ...paged,
      sizeThreshold: amount(0),
      redeemable: flag.optional(),
      mergeable: flag.optional(),
      sortBy: upper(['TOKENS', 'CURRENT', 'INITIAL', 'CASHPNL', 'PERCENTPNL', 'TITLE', 'RESOLVING', 'PRICE', 'AVGPRICE'], 'TOKENS'),
      sortDirection,
    }),
    output: z.array(position),
    cost: 'read-many',
    shed: 'ordinary',
  }),
  listClosedPositions: venueOperation({
    ...read,
    path: '/closed-positions',
    summary: 'Closed positions of an account, with their profit and loss.',
    query: strictQuery({
      ...user,
      ...markets,
      ...titled,
      ...paged,
      sortBy: upper(['REALIZEDPNL', 'TITLE', 'PRICE', 'AVGPRICE', 'TIMESTAMP'], 'REALIZEDPNL'),
      sortDirection,
    }),
    output: z.array(closedPosition),
    cost: 'read-many',
    shed: 'ordinary',
  }),
  getValue: venueOperation({
    ...read,
    path: '/value',
    summary: 'The value of what an account holds at displayed prices, without cash, and its profit after fees.',
    query: strictQuery({ ...user, ...markets }),
    output: z.array(holdingsValue),
    cost: 'read-many',
    shed: 'ordinary',
  }),
  getProfitHistory: venueOperation({
    ...read,
    path: '/profit-history',
    summary:
      'The profit of an account over time, after fees: what it has at the displayed prices of the moment, plus withdrawals, less deposits. The last point is now.',
    query: strictQuery({
      ...user,
      startTs: secondsText.optional().describe('Unix seconds; without it, the first change of the account.'),
      points: z.coerce.number().int().min(2).max(500).default(80),
    }),
    output: z.array(profitPoint),
    cost: 'read-many',
    shed: 'ordinary',
  }),
  getTraded: venueOperation({
    ...read,
    path: '/traded',
    summary: 'The number of markets an account traded in.',
    query: strictQuery(user),
    output: z.object({ user: position.shape.proxyWallet, traded: z.int() }),
    cost: 'read-many',
    shed: 'ordinary',
  }),
  getTraders: venueOperation({
    method: 'POST',
    path: '/data/traders',
    auth: 'public',
    summary: 'Volume and number of trades of up to 500 accounts, in the requested order.',
    body: z.strictObject({ users: z.array(address).max(LOOKUP_BATCH) }),
    output: z.array(trader),
    refusals: ['too_many_items'],
    repeatable: true,
    cost: 'read-many',
    shed: 'ordinary',
  }),
  listHolders: venueOperation({
    ...read,
    path: '/holders',
    summary: 'Largest holders of each token of the markets.',
    query: strictQuery({ market: marketIds(20), ...paged, minBalance: amount(1) }),
    output: z.array(tokenHolders),
    refusals: ['too_many_items'],
    cost: 'read-many',
    shed: 'ordinary',
  }),
  listMarketPositions: venueOperation({
    ...read,
    path: '/v1/market-positions',
    summary: 'Positions of all accounts, or of one, in each token of a market.',
    query: strictQuery({
      market: bytes32,
      user: address.optional(),
      status: upper(['OPEN', 'CLOSED', 'ALL'], 'ALL').describe('OPEN: what is held. CLOSED: what is held no more.'),
      sortBy: upper(['TOKENS', 'CASH_PNL', 'REALIZED_PNL', 'TOTAL_PNL'], 'TOTAL_PNL'),
      sortDirection,
      limit: pageSize(PAGE_MAX, 50),
      offset: skipped(),
    }),
    output: z.array(tokenPositions),
    refusals: ['rate_limited'],
    cost: 'read-many',
    shed: 'ordinary',
    rateLimit: { budget: 'catalogue', of: 'address' },
  }),
  getAccountingSnapshot: venueOperation({
    ...read,
    path: '/v1/accounting/snapshot',
    summary: 'What an account has at this moment. Below `/compat` a ZIP of `positions.csv` and `equity.csv`.',
    query: strictQuery(user),
    output: accountingSnapshot,
    refusals: ['rate_limited'],
    cost: 'read-many',
    shed: 'ordinary',
    rateLimit: { budget: 'catalogue', of: 'address' },
  }),
  listActivity: venueOperation({
    ...read,
    path: '/activity',
    summary: 'Activity that changed an account’s balances, newest first unless `sortDirection` is ASC.',
    query: strictQuery({
      ...user,
      ...markets,
      limit: pageSize(),
      offset: skipped(DEEPEST_ACTIVITY),
      type: several(activityType.options.length)
        .pipe(z.array(z.string().toUpperCase().pipe(activityType)))
        .optional()
        .describe(`Repeated, or with commas between: ${activityType.options.join(', ')}.`),
      side: z.string().toUpperCase().pipe(side).optional(),
      min_usdc: decimalAmount.optional().describe('Only trades for at least so much.'),
      min_shares: decimalAmount.optional().describe('Only trades of at least so many.'),
      start: secondsText.optional(),
      end: secondsText.optional(),
      groupBy: upper(['TRADE', 'ORDER'], 'TRADE').describe('`ORDER`: all trades of an order are one row, at the time of the last one.'),
      // The only order: another one that is asked for is refused, not ignored.
      sortBy: upper(['TIMESTAMP'], 'TIMESTAMP'),
      sortDirection,
    }),
    output: z.array(activity),
    cost: 'read-many',
    shed: 'ordinary',
  }),
  getOpenInterest: venueOperation({
    ...read,
    path: '/oi',
    summary: 'Open interest of the markets; the total is listed as the market GLOBAL.',
    query: strictQuery(markets),
    output: z.array(marketValue),
    cost: 'read-many',
    shed: 'ordinary',
  }),
  getLiveVolume: venueOperation({
    ...read,
    path: '/live-volume',
    summary: 'Traded volume of the markets.',
    query: strictQuery({ market: marketIds(100) }),
    output: z.array(z.object({ total: z.number(), markets: z.array(marketValue) })),
    cost: 'read-many',
    shed: 'ordinary',
  }),
  listLeaders: venueOperation({
    ...read,
    path: '/leaderboard',
    summary:
      'The accounts with the largest volume or profit of a period: the change of the value of what they have, plus withdrawals, less deposits, after fees. Renewed within a minute. `user` asks for the place of one of its 1 000.',
    query: strictQuery({
      category: filter(z.string().min(1).max(64))
        .transform((category) => category ?? 'OVERALL')
        .describe('Slug of a tag; `OVERALL`, as without one, for all markets.'),
      timePeriod: upper(['DAY', 'WEEK', 'MONTH', 'ALL'], 'DAY'),
      orderBy: upper(['PNL', 'VOL'], 'PNL'),
      user: address.optional(),
      limit: pageSize(50, 25),
      offset: skipped(1000),
    }),
    output: z.array(leader),
    cost: 'read-many',
    shed: 'ordinary',
    alsoAt: ['/v1/leaderboard'],
  }),
}
