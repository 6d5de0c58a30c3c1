import { z } from 'zod'

const iso = z.iso.datetime()

/** An outcome token of a market. `is_winning_outcome` and `payout_value` (USDC per share) are set by resolution only. */
const outcomeFields = {
  token_id: z.string(),
  outcome_text: z.string(),
  outcome_index: z.int().min(0).max(1),
  is_winning_outcome: z.boolean(),
  payout_value: z.number().min(0).max(1).nullable(),
}

/** The specification's Condition: a market's data of the oracle and the ledger. */
export const conditionShape = z.object({
  id: z.string(),
  oracle: z.string(),
  question_id: z.string(),
  outcome_slot_count: z.int(),
  resolved: z.boolean(),
  resolution_status: z.string().nullable(),
  resolution_price: z.number().min(0).max(1).nullable(),
  resolution_flagged: z.boolean(),
  resolution_paused: z.boolean(),
  resolution_deadline_at: iso,
  volume: z.number(),
  open_interest: z.number(),
  active_positions_count: z.int(),
})

const marketFields = {
  condition_id: z.string(),
  title: z.string(),
  slug: z.string(),
  short_title: z.string(),
  question: z.string(),
  market_rules: z.string(),
  resolution_source: z.string(),
  resolution_source_url: z.string(),
  resolver: z.string(),
  end_time: iso,
  is_active: z.boolean(),
  is_resolved: z.boolean(),
  neg_risk: z.boolean(),
  neg_risk_market_id: z.string().nullable(),
  /** USDC. */
  volume: z.number(),
  volume_24h: z.number(),
  condition: conditionShape,
  created_at: iso,
  updated_at: iso,
}

/** Field `data` of the market-metadata answer, as the specification has it. */
export const marketMetadata = z.object({ ...marketFields, outcomes: z.array(z.object(outcomeFields)) })

/** Path of a picture at the site: its own upload, else a drawn one. Never empty. */
export const picture = z.string()

/**
 * A market inside an event. `is_paused`: an operator stopped trading, and can let it go on until the end. `price` is the displayed price of
 * Yes (0..1), `probability` the same in percent, null without bids, asks or trades; `buy_price` is the best ask of an outcome and `sell_price` its best bid, null when that side
 * of the book is empty. Lists carry `market_rules` as an empty string; the single event has the text.
 */
export const market = z.object({
  ...marketFields,
  event_id: z.string(),
  /** Place in the event from 0, which never changes: later outcomes come after it. A colour of the site belongs to it. */
  position: z.int(),
  icon_url: z.string(),
  picture,
  is_paused: z.boolean(),
  price: z.number().min(0).max(1).nullable(),
  probability: z.number().min(0).max(100).nullable(),
  outcomes: z.array(z.object({ ...outcomeFields, buy_price: z.number().nullable(), sell_price: z.number().nullable() })),
})

/** One row of the markets/status answer. */
export const marketStatus = z.object({ condition_id: z.string(), is_active: z.boolean(), is_resolved: z.boolean() })

export type MarketMetadata = z.output<typeof marketMetadata>
export type Market = z.output<typeof market>
