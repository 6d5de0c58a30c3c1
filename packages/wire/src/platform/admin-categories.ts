import { z } from 'zod'
import { slug as anySlug } from '../condition-request.ts'
import { operation } from '../operation.ts'
import { limit, publicQuery } from '../query.ts'
import { shownText } from '../text.ts'
import { byId, counted, done, listQuery, success, time } from './admin-envelope.ts'
import { locale } from './settings.ts'

const name = shownText(80).trim().min(1)
const slug = anySlug.max(80)
/** Slugs that ask for an order of events: a category of that name could not be found. */
export const isOrderOfEvents = (slug: string): boolean => slug === 'trending' || slug === 'new'
const newSlug = slug.refine((text) => !isOrderOfEvents(text), 'expected another word than trending and new')

/** A translation. Automatic ones never overwrite one by a person. */
const translationView = z.object({ text: z.string(), by_person: z.boolean() })

const category = z.object({
  id: z.uuid(),
  name: z.string(),
  slug: z.string(),
  is_main_category: z.boolean(),
  is_hidden: z.boolean(),
  hide_events: z.boolean(),
  display_order: z.int(),
  events_count: z.int(),
  active_markets_count: z.int(),
  /** Ids of its parent categories. */
  parents: z.array(z.string()),
  created_at: time,
  updated_at: time,
  /** By language. */
  translations: z.record(z.string(), translationView),
})

const changes = z.strictObject({
  name: name.optional(),
  slug: newSlug.optional(),
  is_main_category: z.boolean().optional(),
  is_hidden: z.boolean().optional(),
  hide_events: z.boolean().optional(),
  display_order: z.int().min(0).max(100_000).optional(),
  parents: z.array(z.uuid()).max(20).optional(),
})

/** The tree of categories. */
export const adminCategoryOperations = {
  adminCategories: operation({
    method: 'GET',
    path: '/admin/api/categories',
    auth: 'admin',
    summary: 'Categories with how much is in each.',
    query: publicQuery({ ...listQuery, limit: limit(500, 500) }),
    output: counted(category),
    refusals: ['invalid_sort_by'],
    repeatable: true,
  }),
  adminMainTags: operation({
    method: 'GET',
    path: '/admin/api/main-tags',
    auth: 'admin',
    summary: 'Main categories with what is below each, and the categories that are below none.',
    output: z.object({
      mainCategories: z.array(
        z.object({ id: z.uuid(), name: z.string(), slug: z.string(), childs: z.array(z.object({ name: z.string(), slug: z.string() })) }),
      ),
      globalCategories: z.array(z.object({ name: z.string(), slug: z.string() })),
    }),
    refusals: [],
    repeatable: true,
  }),
  adminAddCategory: operation({
    method: 'POST',
    path: '/admin/api/categories',
    auth: 'admin',
    summary: 'Makes a category.',
    body: changes.extend({ name, slug: newSlug }),
    output: done(category),
    refusals: ['slug_taken', 'category_not_found', 'category_loop'],
    repeatable: false,
  }),
  adminUpdateCategory: operation({
    method: 'PATCH',
    path: '/admin/api/categories/{id}',
    auth: 'admin',
    summary: 'Changes a category: its name, place, parents, and whether it and its events are seen.',
    params: byId,
    body: changes.extend({
      /** The values the caller saw: if they have changed since, nothing is changed. */
      seen: changes.extend({ slug: slug.optional() }).optional(),
    }),
    output: done(category),
    refusals: ['category_not_found', 'slug_taken', 'category_loop', 'changed_meanwhile'],
    repeatable: true,
  }),
  adminMergeCategory: operation({
    method: 'POST',
    path: '/admin/api/categories/{id}/merge',
    auth: 'admin',
    summary: 'Makes a category one with another: its events and what is below it are the other’s, and by its slug the other is found.',
    params: byId,
    body: z.strictObject({ into: z.uuid() }),
    output: done(category),
    refusals: ['category_not_found', 'category_loop', 'step_up_required'],
    repeatable: false,
  }),
  adminOrderCategories: operation({
    method: 'PUT',
    path: '/admin/api/categories/order',
    auth: 'admin',
    summary: 'Puts categories in the order of the ids given.',
    body: z.strictObject({
      ids: z.array(z.uuid()).min(1).max(500),
      /** The `display_order` of each as the caller saw it: if one has changed since, nothing is changed. */
      seen: z.array(z.int()).max(500).optional(),
    }),
    output: success,
    refusals: ['category_not_found', 'changed_meanwhile'],
    repeatable: true,
  }),
  adminTranslations: operation({
    method: 'GET',
    path: '/admin/api/translations/{kind}/{id}',
    auth: 'admin',
    summary: 'The texts of an event or a category in every language.',
    params: z.object({ kind: z.enum(['event', 'tag']), id: z.uuid() }),
    output: done(z.object({ original: z.string(), translations: z.record(z.string(), translationView) })),
    refusals: ['category_not_found', 'event_not_found'],
    repeatable: true,
  }),
  adminTranslate: operation({
    method: 'PUT',
    path: '/admin/api/translations/{kind}/{id}',
    auth: 'admin',
    summary: 'Says how an event or a category is called in other languages; an empty text leaves it to the model or the original.',
    params: z.object({ kind: z.enum(['event', 'tag']), id: z.uuid() }),
    body: z.strictObject({
      translations: z.partialRecord(locale, shownText(400).trim()),
      /** The texts the caller saw, empty where there was none: if they have changed since, nothing is changed. */
      seen: z.partialRecord(locale, z.string().max(400)).optional(),
    }),
    output: done(z.object({ original: z.string(), translations: z.record(z.string(), translationView) })),
    refusals: ['category_not_found', 'event_not_found', 'changed_meanwhile'],
    repeatable: true,
  }),
} as const
