import { z } from 'zod'
import { operation } from '../operation.ts'
import { filter, limit, offset, publicQuery, several } from '../query.ts'
import { amount, anyDecimal, bytes32, checksumAddress, micros } from '../scalars.ts'
import { answering } from './asks-exchange.ts'
import { picture } from './market.ts'

/** Largest offset in a query of activity. */
export const ACTIVITY_DEPTH = 500

const iso = z.iso.datetime()
/** The owner of an address. `id` is the address; `created_at` is null for those who are not members of this site. */
const person = { id: z.string(), username: z.string().nullable(), address: checksumAddress, image: z.string() }

/** A trade on an event page. `amount` in millionths of a share, `total_value` in millionths of a USDC. */
const activityItem = z.object({
  id: z.string(),
  type: z.literal('trade'),
  user: z.object({ ...person, created_at: iso.nullable() }),
  side: z.enum(['buy', 'sell']),
  amount: micros,
  price: anyDecimal,
  outcome: z.object({ index: z.int(), text: z.string() }),
  market: z.object({
    condition_id: z.string(),
    title: z.string(),
    slug: z.string(),
    icon_url: z.string(),
    picture,
    event: z.object({ slug: z.string() }),
  }),
  total_value: micros,
  created_at: iso,
  status: z.literal('completed'),
  tx_hash: z.string(),
})

/** A holder of shares of an outcome. */
export const holder = z.object({
  user: z.object({ ...person, proxy_wallet_address: z.string() }),
  net_position: anyDecimal,
  outcome_index: z.int(),
  outcome_text: z.string(),
})

const read = { method: 'GET', auth: 'optional', repeatable: true } as const

/** Public trades and holders. */
export const activityOperations = {
  eventActivity: operation({
    ...read,
    path: '/api/event-activity',
    budget: 'activity',
    summary: 'The latest trades of an event, or of some markets, newest first, at most 500 back.',
    query: publicQuery({
      event: z.string().max(200).optional().describe('Slug of an event, all of whose markets are meant.'),
      market: several(50, 'Too many markets.').pipe(z.array(bytes32)).default([]),
      limit: limit(50, 10),
      offset: offset(),
      filterAmount: filter(amount).describe('Least value of a trade, in USDC.'),
    }),
    output: z.array(activityItem),
    refusals: ['missing_market', 'read_model_lagging', ...answering],
  }),
  listHolders: operation({
    ...read,
    path: '/api/holders',
    summary: 'Who holds most of each outcome of a market, at least one share.',
    query: publicQuery({
      conditionId: bytes32.or(z.literal('')).optional().describe('Required: the id of the market.'),
      limit: limit(500, 50),
    }),
    output: z.object({ yesHolders: z.array(holder), noHolders: z.array(holder) }),
    refusals: ['missing_condition_id', ...answering],
  }),
} as const

export type ActivityItem = z.output<typeof activityItem>
