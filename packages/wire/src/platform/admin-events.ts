import { z } from 'zod'
import { slug } from '../condition-request.ts'
import { operation } from '../operation.ts'
import { publicQuery, yes } from '../query.ts'
import { searchText, tickSize } from '../scalars.ts'
import { shownText } from '../text.ts'
import { auditEntry } from './admin-access.ts'
import { byId, counted, done, listQuery, success, time } from './admin-envelope.ts'
import { managing } from './asks-exchange.ts'
import { marketResolution } from './resolution.ts'

/**
 * Why an event needs attention: it ended without a result, a proposal is disputed, a proposal is due and waits for another admin, it was
 * flagged, the exchange does not know its markets, or it is paused.
 */
export const attention = z.enum(['ended', 'disputed', 'due', 'flagged', 'unregistered', 'paused'])

const row = z.object({
  id: z.uuid(),
  slug: z.string(),
  title: z.string(),
  creator: z.string(),
  icon_url: z.string(),
  /** Whether this deployment created it, and so may change, pause and resolve it. */
  own: z.boolean(),
  status: z.enum(['draft', 'active', 'resolved', 'archived']),
  hidden: z.boolean(),
  paused: z.boolean(),
  neg_risk: z.boolean(),
  main_tag: z.string(),
  series_slug: z.string().nullable(),
  active_markets_count: z.int(),
  total_markets_count: z.int(),
  /** In USDC. */
  volume: z.number(),
  volume_24h: z.number(),
  end_date: time.nullable(),
  created_at: time,
  attention: z.array(attention),
})

/** A single event. `tags` are slugs, the main category first. */
const shownEvent = row.extend({ rules: z.string(), tags: z.array(z.string()) })

const market = z.object({
  condition_id: z.string(),
  slug: z.string(),
  question: z.string(),
  short_title: z.string(),
  outcomes: z.array(z.string()),
  rules: z.string(),
  resolution_source: z.string(),
  resolution_source_url: z.string(),
  tick_size: tickSize,
  /** Smallest order in shares. */
  min_size: z.number(),
  end_time: time,
  is_active: z.boolean(),
  is_resolved: z.boolean(),
  registered: z.boolean(),
  /** Payout of a Yes share, in USDC. */
  yes_pays: z.number().nullable(),
  volume: z.number(),
  open_interest: z.number(),
  resolution: marketResolution,
})

/** What markets of an event ask, and what each is called beside the others. */
const marketTexts = z
  .array(z.strictObject({ condition_id: z.string().max(128), question: shownText(1000).trim().min(1), short_title: shownText(200).trim() }))
  .min(1)
  .max(500)

const conditionIds = z.array(z.string().max(128)).min(1).max(500).optional()
const note = shownText(2000).trim()
/** Payout of a Yes share (0 … 1) by market. */
const answers = z
  .array(z.strictObject({ condition_id: z.string().max(128), yes_pays: z.number().min(0).max(1).multipleOf(0.0001) }))
  .min(1)
  .max(500)
/** Where markets change on the exchange, which may be back at a time before it had them. */
const ofMarkets = ['unknown_market', ...managing] as const
/** Some markets of an event, or all of them. */
const someMarkets = z.strictObject({ condition_ids: conditionIds }).default({})
const envelopeOf = { auth: 'admin', method: 'POST', params: byId, output: success, repeatable: true } as const

/** Management of events. */
export const adminEventOperations = {
  adminEvents: operation({
    method: 'GET',
    path: '/admin/api/events',
    auth: 'admin',
    summary: 'Events with their problems; with `attention`, only those that have one.',
    query: publicQuery({
      ...listQuery,
      mainCategorySlug: searchText(80).optional().describe('Slug of a main category.'),
      creator: searchText(64).optional().describe('Address of a creator, one of `creatorOptions`.'),
      seriesSlug: searchText(200).optional().describe('Slug of a series, one of `seriesOptions`.'),
      activeOnly: yes.describe('`true` for active events alone.'),
      attention: yes.describe('`true` for events alone with which something is wrong.'),
    }),
    output: counted(row).extend({ creatorOptions: z.array(z.string()), seriesOptions: z.array(z.string()) }),
    refusals: ['invalid_sort_by'],
    repeatable: true,
  }),
  adminCheckSlug: operation({
    method: 'POST',
    path: '/admin/api/events/check-slug',
    auth: 'admin',
    summary: 'Whether an event, or a market, has this slug.',
    body: z.strictObject({ slug: searchText(200).optional() }),
    output: z.object({ exists: z.boolean() }),
    refusals: ['missing_slug'],
    repeatable: true,
  }),
  adminEvent: operation({
    method: 'GET',
    path: '/admin/api/events/{id}',
    auth: 'admin',
    summary: 'An event with its markets, the state of their resolution, and all changes by admins.',
    params: byId,
    output: done(
      z.object({
        event: shownEvent,
        markets: z.array(market),
        changes: z.array(auditEntry),
      }),
    ),
    refusals: ['event_not_found'],
    repeatable: true,
  }),
  adminUpdateEvent: operation({
    method: 'PATCH',
    path: '/admin/api/events/{id}',
    auth: 'admin',
    summary: 'Changes the texts of an event. Once its markets may have trades, their resolution rules can only be added to.',
    params: byId,
    body: z.strictObject({
      hidden: z.boolean().optional(),
      title: shownText(400).trim().min(1).optional(),
      icon_url: z
        .string()
        .max(2048)
        .regex(/^(|\/uploads\/[0-9a-f]{64}\.(png|svg|webp)|https:\/\/[^\s"'<>]+)$/, 'expected an upload, or a web address by https')
        .optional(),
      rules: shownText(20_000).trim().optional(),
      /** Can only be changed before the first trade is possible. */
      markets: marketTexts.optional(),
      series_slug: slug.nullish(),
      /** Slugs; the first is the main category. */
      tags: z.array(z.string().max(80)).min(1).max(50).optional(),
      /** The values the caller saw: if they have changed since, nothing is changed. */
      seen: z
        .strictObject({
          title: z.string().max(400),
          rules: z.string().max(20_000),
          markets: marketTexts,
          icon_url: z.string().max(2048),
          series_slug: z.string().max(200).nullable(),
          tags: z.array(z.string().max(80)).max(50),
        })
        .partial()
        .optional(),
    }),
    output: done(row),
    refusals: [
      'event_not_found',
      'category_not_found',
      'market_not_found',
      'rules_only_grow',
      'condition_not_owned',
      'changed_meanwhile',
      ...ofMarkets,
    ],
    repeatable: true,
  }),
  adminPauseEvent: operation({
    ...envelopeOf,
    path: '/admin/api/events/{id}/pause',
    summary: 'Pauses trading in an event, or in some of its markets, at once. Orders stay and can be cancelled.',
    body: someMarkets,
    refusals: ['event_not_found', 'market_not_found', 'condition_not_owned', ...ofMarkets],
  }),
  adminResumeEvent: operation({
    ...envelopeOf,
    path: '/admin/api/events/{id}/resume',
    summary: 'Resumes trading in an event, or in some of its markets while the event itself is not paused.',
    body: someMarkets,
    refusals: ['event_not_found', 'market_not_found', 'condition_not_owned', 'event_paused', ...ofMarkets],
  }),
  adminRescheduleEvent: operation({
    ...envelopeOf,
    path: '/admin/api/events/{id}/reschedule',
    summary:
      'Moves the end of trading of markets of an event, here and on the exchange. The reason is added to the rules, stands in the history of ' +
      'the resolution, and goes to members who hold shares or follow the event.',
    body: z.strictObject({
      /** Markets whose end moves; all that are not over by default. */
      condition_ids: conditionIds,
      end_time: z.iso.datetime({ offset: true }),
      reason: note.min(1),
    }),
    refusals: [
      'event_not_found',
      'market_not_found',
      'condition_not_owned',
      'market_closed',
      'resolution_conflict',
      'window_fixed',
      ...ofMarkets,
    ],
  }),
  adminResolveEvent: operation({
    ...envelopeOf,
    path: '/admin/api/events/{id}/resolve',
    summary:
      'Takes a step in the resolution of markets of an event: `propose` needs an answer for each and evidence that everybody may read.',
    body: z.discriminatedUnion('step', [
      z.strictObject({
        step: z.literal('propose'),
        answers,
        evidence: note.min(1),
        dispute_seconds: z.int().min(0).max(604_800).optional(),
      }),
      z.strictObject({
        step: z.enum(['dispute', 'cancel', 'confirm', 'flag', 'unflag', 'hold', 'release']),
        condition_ids: conditionIds,
        note: note.optional(),
        /** The proposal the caller saw: `confirm` refuses any other. */
        answers: answers.optional(),
      }),
    ]),
    refusals: [
      'event_not_found',
      'market_not_found',
      'condition_not_owned',
      'step_up_required',
      'invalid_weight',
      'resolution_conflict',
      'event_incomplete',
      'own_admin',
      'changed_meanwhile',
    ],
  }),
} as const

export type AdminEventRow = z.output<typeof row>
