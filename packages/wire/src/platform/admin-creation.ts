import { z } from 'zod'
import { slug } from '../condition-request.ts'
import { operation } from '../operation.ts'
import { limit, offset, publicQuery } from '../query.ts'
import { isoOfYears } from '../scalars.ts'
import { actor, byId, counted, done, success, time } from './admin-envelope.ts'
import { keyText } from './admin-settings.ts'
import { managing } from './asks-exchange.ts'
import { draftCheck, draftContent, draftStep, recurrence } from './draft.ts'
import { locale } from './settings.ts'

const draft = z.object({
  id: z.uuid(),
  content: draftContent,
  revision: z.int(),
  state: z.enum(['draft', 'publishing', 'published']),
  /** Why the last attempt to publish failed. */
  problem: z.string(),
  /** Slug of the event, once it exists. */
  event_slug: z.string().nullable(),
  actor: actor.nullable(),
  created_at: time,
  updated_at: time,
})

/** Progress of publishing an event: `registered` of its `total` markets are on the exchange. */
const publication = z.object({
  state: z.enum(['publishing', 'published']),
  draft_id: z.uuid(),
  event_id: z.uuid(),
  slug: z.string(),
  registered: z.int(),
  total: z.int(),
})

const series = z.object({
  slug: z.string(),
  content: draftContent,
  recurrence,
  next_end: time,
  enabled: z.boolean(),
  updated_at: time,
})

const onSeries = z.object({ slug: slug.max(150) })
const onDraft = { auth: 'admin', params: byId } as const
const publishing = ['draft_unready', 'slug_taken', 'condition_exists', 'event_full', 'duplicate_ref', ...managing] as const
const modelRefusals = ['openrouter_missing', 'model_budget_spent', 'model_failed'] as const

/** A time that an admin types. */
const typedTime = isoOfYears(1970, 9999)

/** Creating events. */
export const adminCreationOperations = {
  adminDrafts: operation({
    method: 'GET',
    path: '/admin/api/drafts',
    auth: 'admin',
    summary: 'Event drafts, last changed first.',
    query: publicQuery({ limit: limit(200, 50), offset: offset() }),
    output: counted(draft),
    refusals: [],
    repeatable: true,
  }),
  adminAddDraft: operation({
    method: 'POST',
    path: '/admin/api/drafts',
    auth: 'admin',
    summary: 'Starts a draft.',
    body: z.strictObject({
      content: draftContent,
      /** The draft’s id, which makes the request idempotent. */
      ref: z.uuid().optional(),
    }),
    output: done(draft),
    refusals: [],
    repeatable: false,
  }),
  adminDraft: operation({
    ...onDraft,
    method: 'GET',
    path: '/admin/api/drafts/{id}',
    summary: 'Returns a draft.',
    output: done(draft),
    refusals: ['draft_not_found'],
    repeatable: true,
  }),
  adminSaveDraft: operation({
    ...onDraft,
    method: 'PUT',
    path: '/admin/api/drafts/{id}',
    summary: 'Saves a draft, if it was not saved by another request since `revision`.',
    body: z.strictObject({ content: draftContent, revision: z.int32().min(1) }),
    output: done(draft),
    refusals: ['draft_not_found', 'draft_published', 'changed_meanwhile'],
    repeatable: true,
  }),
  adminDeleteDraft: operation({
    ...onDraft,
    method: 'DELETE',
    path: '/admin/api/drafts/{id}',
    summary: 'Deletes a draft.',
    output: success,
    refusals: ['draft_not_found', 'draft_published'],
    repeatable: true,
  }),
  adminCheckDraft: operation({
    ...onDraft,
    method: 'POST',
    path: '/admin/api/drafts/{id}/check',
    summary: 'Errors and warnings of a draft. Errors prevent publishing.',
    output: done(z.object({ ready: z.boolean(), checks: z.array(draftCheck) })),
    refusals: ['draft_not_found'],
    repeatable: true,
  }),
  adminPublishDraft: operation({
    ...onDraft,
    method: 'POST',
    path: '/admin/api/drafts/{id}/publish',
    summary:
      'Creates the event and registers its markets on the exchange. After an interruption the same call continues, without duplicates.',
    output: done(publication),
    refusals: ['draft_not_found', ...publishing],
    repeatable: true,
  }),
  adminCreateEvent: operation({
    method: 'POST',
    path: '/admin/api/events',
    auth: 'admin',
    summary: 'Creates an event at once. The same call again continues, without duplicates.',
    body: draftContent,
    output: done(publication),
    refusals: publishing,
    repeatable: true,
  }),
  adminSeries: operation({
    method: 'GET',
    path: '/admin/api/series',
    auth: 'admin',
    summary: 'Recurring events.',
    output: counted(series),
    refusals: [],
    repeatable: true,
  }),
  adminPutSeries: operation({
    method: 'PUT',
    path: '/admin/api/series/{slug}',
    auth: 'admin',
    summary: 'Starts or stops a recurring event, from `next_end` on. Its texts need the placeholder `{date}`.',
    params: onSeries,
    body: z.strictObject({
      content: draftContent,
      recurrence,
      next_end: typedTime,
      enabled: z.boolean().default(true),
      /** The values the caller saw: if they have changed since, nothing is changed. */
      seen: series.pick({ content: true, recurrence: true, next_end: true, enabled: true }).partial().strict().optional(),
    }),
    output: done(series),
    refusals: ['draft_unready', 'changed_meanwhile'],
    repeatable: true,
  }),
  adminTurnSeries: operation({
    method: 'PATCH',
    path: '/admin/api/series/{slug}',
    auth: 'admin',
    summary: 'Stops or resumes a recurring event with its current terms.',
    params: onSeries,
    body: z.strictObject({ enabled: z.boolean() }),
    output: done(series),
    refusals: ['event_series_not_found', 'draft_unready'],
    repeatable: true,
  }),
  adminCreateEventAi: operation({
    method: 'POST',
    path: '/admin/api/create-event/ai',
    auth: 'admin',
    budget: 'model',
    summary:
      'Drafts rules, or looks a draft over. What the model says is a proposal: a person takes it, changes it or drops it, field by field.',
    body: z.strictObject({ mode: z.enum(['generate_rules', 'check_content']), data: draftContent }),
    output: z.union([
      z.object({
        rules: z.string(),
        samplesUsed: z.int(),
        /** Fields of the draft with the model's suggestions. */
        suggestions: z.array(
          z.object({
            field: z.enum(['rules', 'resolution_source', 'resolution_source_url', 'title']),
            text: z.string(),
            reason: z.string(),
          }),
        ),
      }),
      z.object({
        ok: z.boolean(),
        checks: z.object({ mandatory: z.boolean(), language: z.boolean(), deterministic: z.boolean() }),
        errors: z.array(z.object({ code: z.string(), reason: z.string(), step: draftStep })),
      }),
    ]),
    refusals: modelRefusals,
    repeatable: false,
  }),
  adminOpenrouterModels: operation({
    method: 'POST',
    path: '/admin/api/openrouter-models',
    auth: 'admin',
    budget: 'model',
    summary: 'Models available to a key; by default the key of the settings.',
    body: z.strictObject({ apiKey: keyText.default('') }),
    output: z.object({ models: z.array(z.object({ id: z.string(), label: z.string(), contextWindow: z.int().nullable() })) }),
    refusals: ['openrouter_missing', 'model_failed'],
    repeatable: true,
  }),
  adminSuggestTranslation: operation({
    method: 'POST',
    path: '/admin/api/translations/{kind}/{id}/suggest',
    auth: 'admin',
    budget: 'model',
    summary: 'Lets the model translate the name of an event or a category, unless a person has.',
    params: z.object({ kind: z.enum(['event', 'tag']), id: z.uuid() }),
    body: z.strictObject({ locales: z.array(locale).min(1).max(20) }),
    output: done(z.object({ translations: z.partialRecord(locale, z.object({ text: z.string(), kept: z.boolean() })) })),
    refusals: ['category_not_found', 'event_not_found', ...modelRefusals],
    repeatable: false,
  }),
  adminWriteMarketContext: operation({
    method: 'POST',
    path: '/admin/api/markets/{id}/context',
    auth: 'admin',
    budget: 'model',
    summary: 'Lets the model write a context for a market, which pages mark as AI text.',
    params: z.object({ id: z.string().max(128) }),
    output: done(z.object({ text: z.string(), generated_at: time })),
    refusals: ['market_not_found', ...modelRefusals],
    repeatable: false,
  }),
} as const
