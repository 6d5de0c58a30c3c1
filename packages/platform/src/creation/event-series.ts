import { lockName, type PlatformTables, tables } from '@augury/domain/platform/tables'
import type { Input, Output } from '@augury/wire/operation'
import type { adminCreationOperations } from '@augury/wire/platform/admin-creation'
import { type DraftContent, draftContent } from '@augury/wire/platform/draft'
import { PLACE } from '@augury/wire/platform/occurrence'
import { slugOf } from '@augury/wire/platform/slug'
import { ServiceError } from '@augury/wire/service-error'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Selectable } from 'kysely'
import { type AdminResult, difference, recordAction, runAsAdmin } from '../authorization/run-as-admin.ts'
import type { Admin } from '../authorization/viewer.ts'
import type { Platform } from '../site/platform.ts'
import type { Site } from '../site/site.ts'
import { assertReady, checkTexts, SOONEST_MS } from './check-draft.ts'

type Operations = typeof adminCreationOperations
type Recurrence = NonNullable<DraftContent['recurrence']>

/** A recurring event: what each occurrence is made from, and when the next one ends. */
export type Series = Output<Operations['adminPutSeries']>['data']

/** The end of the following occurrence. Monthly ones end on the day of the `first` end, or on the last day of a shorter month. */
export function nextEnd(end: Date, recurrence: Recurrence, first = end): Date {
  const next = new Date(end)
  const day = end.getUTCDate()
  if (recurrence !== 'monthly') next.setUTCDate(day + (recurrence === 'daily' ? 1 : 7))
  else {
    const wanted = day === daysInMonth(end) ? Math.max(day, first.getUTCDate()) : day // a last day may stand for a later one that this month lacks
    next.setUTCMonth(next.getUTCMonth() + 1, 1)
    next.setUTCDate(Math.min(wanted, daysInMonth(next)))
  }
  return next
}

const daysInMonth = (date: Date): number => new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()

/** The series slug of a recurring draft: its slug without the placeholder of the date. */
export const seriesSlugOf = ({ slug }: DraftContent): string => slugOf(slug.replaceAll(PLACE, ''))

/**
 * Makes the event of a draft recur; the first occurrence is the draft's own event. A series of its name that was stopped goes on under the terms
 * of the draft. Throws `slug_taken` for one that was not, and `draft_unready`.
 */
export async function startSeries(em: EntityManager, admin: Admin, content: DraftContent, now: Date): Promise<void> {
  const { recurrence, end_date } = content
  if (recurrence === null || end_date === null) return
  const slug = seriesSlugOf(content)
  const known = await lock(em, slug)
  if (known?.enabled) throw new ServiceError('slug_taken', { text: `“${slug}” comes again already: stop it first.` })
  const next_end = nextEnd(new Date(end_date), recurrence).toISOString()
  const { record } = await put(em, admin, slug, known, { content, recurrence, next_end, enabled: true }, now)
  if (record) await recordAction(em, admin, record, now)
}

const view = (row: Row): Series => ({
  ...row,
  content: draftContent.parse(row.content),
  next_end: row.next_end.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

const COLUMNS = ['slug', 'content', 'recurrence', 'next_end', 'enabled', 'updated_at'] as const
type Row = Pick<Selectable<PlatformTables['event_series']>, (typeof COLUMNS)[number]>

/** Recurring events. */
export async function listSeries(platform: Platform): Promise<Output<Operations['adminSeries']>> {
  const rows = await tables(platform.em()).selectFrom('event_series').select(COLUMNS).orderBy('slug').limit(500).execute()
  return { data: rows.map(view), totalCount: rows.length }
}

/** The first end from this one on for which an event can still be made; those that passed while it was stopped are skipped. */
function endAhead({ content, recurrence, next_end }: Pick<Series, 'content' | 'recurrence' | 'next_end'>, now: Date): Date {
  const first = new Date(content.end_date ?? next_end)
  let end = new Date(next_end)
  while (end.getTime() - now.getTime() < SOONEST_MS) end = nextEnd(end, recurrence, first)
  return end
}

/**
 * Starts or stops a recurring event. Throws `draft_unready`, also when two of its occurrences would have the same slug, and `changed_meanwhile`
 * where its terms are not those that the caller has seen.
 */
export function putSeries(
  site: Site,
  admin: Admin,
  { params: { slug }, body: { seen, ...terms } }: Pick<Input<Operations['adminPutSeries']>, 'params' | 'body'>,
): Promise<Output<Operations['adminPutSeries']>> {
  return runAsAdmin(site, admin, async (em, now) => {
    const known = await lock(em, slug)
    const done = await put(em, admin, slug, known, terms, now)
    if (known && seen && done.record && difference<Terms>(termsOf(known), seen as Partial<Terms>))
      throw new ServiceError('changed_meanwhile')
    return done
  })
}

/**
 * Stops or resumes a recurring event under its current terms. Repeating it changes nothing. Throws `event_series_not_found`, and
 * `draft_unready` as a change of the terms does.
 */
export function turnSeries(
  site: Site,
  admin: Admin,
  { params: { slug }, body: { enabled } }: { params: { slug: string }; body: { enabled: boolean } },
): Promise<Output<Operations['adminTurnSeries']>> {
  return runAsAdmin(site, admin, async (em, now) => {
    const known = await lock(em, slug)
    if (!known) throw new ServiceError('event_series_not_found')
    if (known.enabled === enabled) return { answer: { success: true, data: known }, record: null }
    return put(em, admin, slug, known, { ...known, enabled }, now)
  })
}

/** What can be changed about a recurring event. */
type Terms = Pick<Series, 'content' | 'recurrence' | 'next_end' | 'enabled'>

const termsOf = ({ content, recurrence, next_end, enabled }: Terms): Terms => ({ content, recurrence, next_end, enabled })

/** The series of a slug, kept as it is until the transaction ends; also when there is none yet. */
async function lock(em: EntityManager, slug: string): Promise<Series | undefined> {
  await lockName(em, `augury series ${slug}`)
  const row = await tables(em).selectFrom('event_series').select(COLUMNS).where('slug', '=', slug).forUpdate().executeTakeFirst()
  return row && view(row)
}

async function put(
  em: EntityManager,
  admin: Admin,
  slug: string,
  known: Series | undefined,
  { content, recurrence, next_end, enabled }: Terms,
  now: Date,
): Promise<AdminResult<Output<Operations['adminPutSeries']>>> {
  const next = enabled ? endAhead({ content, recurrence, next_end }, now) : new Date(next_end)
  const checks = checkTexts({ ...content, recurrence, end_date: next.toISOString() }, now)
  if (enabled) assertReady(checks)
  const terms = { content: JSON.stringify(content), recurrence, next_end: next, enabled, actor_id: admin.id, updated_at: now }
  const row = await tables(em)
    .insertInto('event_series')
    .values({ slug, ...terms, created_at: now })
    .onConflict((conflict) => conflict.column('slug').doUpdateSet(terms))
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
  const data = view(row)
  const changed = known ? difference<Terms>(termsOf(known), termsOf(data)) : { after: termsOf(data) }
  return { answer: { success: true, data }, record: changed && { action: 'series_changed', target: slug, ...changed } }
}
