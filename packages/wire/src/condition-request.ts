import { z } from 'zod'
import { address, bps, decimal, isoOfYears, micros, tickSize } from './scalars.ts'
import { tier } from './service-limits.ts'
import { visible } from './text.ts'

/** A name in addresses and ids: lower case, digits and hyphens. */
export const slug = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'expected lower-case words joined by hyphens')
  .max(200)

/** Where readers are sent, or nothing: pages link to it, so it is no script and no file. */
export const webAddress = z.union([z.literal(''), z.url({ protocol: /^https?$/, error: 'expected a web address' }).max(2048)])

/** A time of a market, whose year still has four digits a week later: otherwise no list with it can be read. */
const marketTime = isoOfYears(1000, 9998)

/** Texts of a condition and of its event. Kept beside the journal: the engine never sees them. */
export const conditionMetadata = z.strictObject({
  question: z.string().min(1).max(1000),
  short_title: z.string().max(200),
  description: z.string().max(20_000),
  rules: z.string().max(20_000),
  resolution_source: z.string().max(500),
  resolution_source_url: webAddress,
  icon: z.string().max(2048),
  event: z.strictObject({
    slug,
    title: z.string().min(1).max(500),
    icon: z.string().max(2048),
    tags: z.array(z.strictObject({ slug, name: z.string().min(1).max(100) })).max(50),
    rules: z.string().max(20_000),
    start_date: marketTime.nullable(),
    end_date: marketTime.nullable(),
    series_slug: slug.nullish(),
    /** Left out of lists and searches; reads by id still answer. */
    hidden: z.boolean().optional(),
  }),
})

const outcomeName = z.string().min(1).max(100)
/** Returns the text to compare: spaces, capitals and invisible characters make no difference. */
const read = (text: string) => visible(text).normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase()

/** Labels of the two outcome tokens, the first is Yes. Two that look alike are refused, because a buyer could not tell them apart. */
export const outcomeNames = z
  .tuple([outcomeName, outcomeName])
  .refine(([yes, no]) => read(yes) !== '' && read(no) !== '' && read(yes) !== read(no), 'the two outcomes need different names')

/** `POST /operator/conditions`: idempotent on `question_slug`. Ids are derived by the exchange, never sent. */
export const conditionRequest = z.strictObject({
  question_slug: slug,
  outcomes: outcomeNames,
  tick_size: tickSize,
  /** Smallest order in shares. */
  min_size: decimal,
  /** Smallest notional of an order that matches on arrival, in millionths. */
  min_notional: micros.default('0'),
  fee_rate_bps: z.int().min(0).max(1000),
  rebate_bps: bps.default(0),
  affiliate_share_bps: bps.default(0),
  /** When trading closes: no order is taken from then on. It may be over: a registration that was interrupted for long is completed. */
  end_time: marketTime,
  /** The event in which at most one market wins, and how many markets it will have. */
  neg_risk_event: z.strictObject({ slug, size: z.int().min(2).max(1000) }).optional(),
  metadata: conditionMetadata,
})

/**
 * Whether a market would ask something else than before: another question, under another name, or by rules that do more than go on. How it is
 * spaced, and invisible characters make no difference.
 */
export function asksAnew(before: ConditionMetadata, after: ConditionMetadata): boolean {
  const goesOn = (rules: string, earlier: string) => read(rules).startsWith(read(earlier))
  return (
    read(after.question) !== read(before.question) ||
    read(after.short_title) !== read(before.short_title) ||
    !goesOn(after.rules, before.rules) ||
    !goesOn(after.event.rules, before.event.rules)
  )
}

/** What registering answers. */
export const registeredCondition = z.object({
  condition_id: z.string(),
  question_id: z.string(),
  neg_risk_market_id: z.string().nullable(),
  tokens: z.array(z.object({ token_id: z.string(), outcome: z.string() })),
})

/** `PATCH /operator/conditions/{id}`: texts, resolution attributes, and what of the market may change. */
export const conditionPatch = z
  .strictObject({
    metadata: conditionMetadata.optional(),
    end_time: marketTime.optional(),
    /** Only to a finer tick. */
    tick_size: tickSize.optional(),
    fee_rate_bps: z.int().min(0).max(1000).optional(),
    mode: z.enum(['open', 'paused', 'cancel_only']).optional(),
    resolution_status: z.string().max(50).nullable().optional(),
    resolution_flagged: z.boolean().optional(),
    resolution_paused: z.boolean().optional(),
    resolution_deadline_at: marketTime.nullable().optional(),
  })
  .refine((patch) => Object.keys(patch).length > 0, 'nothing to change')

/** `resolve`: millionths per lot of Yes and of No, together 10 000. */
export const resolveRequest = z.strictObject({ weights: z.tuple([z.int().min(0).max(10_000), z.int().min(0).max(10_000)]) })

/** `PUT /operator/accounts/{address}`. */
export const accountPatch = z.strictObject({
  /** First write wins. */
  referrer: address.optional(),
  tier: tier.optional(),
  stp_group: z.int().min(0).max(4_294_967_295).nullable().optional(),
  banned: z.boolean().optional(),
})

export type ConditionRequest = z.input<typeof conditionRequest>
export type ConditionMetadata = z.output<typeof conditionMetadata>
export type RegisteredCondition = z.output<typeof registeredCondition>
export type ConditionPatch = z.output<typeof conditionPatch>
