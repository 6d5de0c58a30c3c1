import { anyOf, tables } from '@augury/domain/platform/tables'
import { outcomeNames } from '@augury/wire/condition-request'
import type { DraftCheck, DraftContent } from '@augury/wire/platform/draft'
import { firstOf, PLACE } from '@augury/wire/platform/occurrence'
import { marketSlugs } from '@augury/wire/platform/slug'
import { ServiceError } from '@augury/wire/service-error'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { tagSlugs } from '../events/tag-slugs.ts'

/** An event must end between an hour and ten years from now. */
export const SOONEST_MS = 3_600_000
const LATEST_MS = 10 * 365 * 86_400_000
/** Least number of characters of rules. */
const RULES = 60
/** Similarity of two titles (0 … 1) at which they may be the same question. */
const ALIKE = 0.55
const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/

/** Words that people interpret differently. */
const VAGUE =
  /\b(soon|significant(ly)?|major|substantial(ly)?|likely|approximately|around|roughly|a lot|many|few|large|big|better|worse|successful(ly)?|widely|generally|eventually)\b/gi

/** A time of day, and a time zone. */
const TIME = /\b\d{1,2}(:\d{2})? ?(am|pm|o.clock)|\b\d{1,2}:\d{2}\b|\bmidnight\b|\bnoon\b/i
const ZONE = /\b(UTC|GMT|[ECMP][SD]?T|CES?T)\b/

/** All checks of a draft before it is published, each code once. */
export async function checkDraft(em: EntityManager, draft: DraftContent, now: Date): Promise<DraftCheck[]> {
  return [...checkTexts(draft, now), ...(await checkStored(em, firstOf(draft)))]
}

/** Whether no check forbids publishing. */
export const isReady = (checks: readonly DraftCheck[]): boolean => checks.every(({ state }) => state !== 'error')

/** Throws `draft_unready`, with every fault in its text and every check in its details, when one forbids publishing. */
export function assertReady(checks: readonly DraftCheck[]): void {
  if (isReady(checks)) return
  const faults = checks.filter(({ state }) => state === 'error').map(({ text }) => text)
  throw new ServiceError('draft_unready', { text: faults.join(' '), details: { checks } })
}

type Step = DraftCheck['step']

const check = (code: string, step: Step, state: DraftCheck['state'], text: string): DraftCheck => ({ code, step, state, text })

/** Makes checks of one step from a code, whether it passed, and the texts for failing and passing. */
const checksOf = (step: Step) => ({
  require: (code: string, isFine: boolean, bad: string, good: string) => check(code, step, isFine ? 'ok' : 'error', isFine ? good : bad),
  warn: (code: string, isFine: boolean, bad: string, good: string) => check(code, step, isFine ? 'ok' : 'warning', isFine ? good : bad),
})

/** Checks that need only the draft itself. */
export function checkTexts(written: DraftContent, now: Date): DraftCheck[] {
  const draft = firstOf(written)
  const slugs = [written.slug, ...(written.mode === 'binary' ? [] : written.options.flatMap(({ slug }) => slug || []))]
  const hasPlace = written.recurrence === null || slugs.every((slug) => slug.includes(PLACE))
  return [...checkIdea(draft, hasPlace, now), ...checkStructure(draft), ...checkRules(draft)]
}

/** `hasPlace`: whether the slug of a recurring event contains the placeholder of its window. */
function checkIdea({ title, slug, end_date, tags }: DraftContent, hasPlace: boolean, now: Date): DraftCheck[] {
  const { require } = checksOf('idea')
  const ahead = end_date === null ? 0 : new Date(end_date).getTime() - now.getTime()
  const isSlug = SLUG.test(slug) && slug.length <= 180
  const isAhead = ahead >= SOONEST_MS && ahead <= LATEST_MS
  return [
    require('title', title.trim().length >= 5, 'The title needs at least 5 characters.', 'The title is there.'),
    require('slug', isSlug, 'The slug needs lower-case words joined by hyphens.', 'The slug is well-formed.'),
    require('place', hasPlace, `What comes again needs ${PLACE} in its address, and in the slugs of its options.`, 'No two of its events have one address.'),
    require('end_date', isAhead, 'The end has to lie at least an hour ahead, and at most ten years.', 'The end lies ahead.'),
    require('category', tags.length > 0, 'Choose a main category.', 'There is a category.'),
  ]
}

function checkStructure(draft: DraftContent): DraftCheck[] {
  const { mode, question, outcomes, options } = draft
  const { require } = checksOf('structure')
  const areAsked =
    mode === 'binary'
      ? question.trim() !== ''
      : options.length >= 2 && options.every((option) => option.question.trim() !== '' && option.short_title.trim() !== '')
  const unasked = mode === 'binary' ? 'Write the question.' : 'Give at least two options, each with its question and its short title.'
  // With several questions each is answered Yes or No; outcome names left over from another mode are ignored.
  const areNamed = mode !== 'binary' || outcomeNames.safeParse(outcomes).success
  const same = faultsOfSlugs(draft)
  return [
    require('structure', areAsked, unasked, 'The questions are there.'),
    require('outcomes', areNamed, 'The two outcomes need different names.', 'The outcomes are named.'),
    require('distinct', same === '', same, 'Every market has a slug of its own.'),
  ]
}

/** Which options of a draft have the same slug, and which have one that is not well-formed; empty when there is none. */
function faultsOfSlugs(draft: DraftContent): string {
  const named = marketSlugs(draft).map((slug, i) => ({
    slug,
    name: `${i + 1} (“${draft.options[i]?.short_title || draft.options[i]?.question || slug}”)`,
  }))
  const faults: string[] = []
  for (const [slug, options] of Map.groupBy(named, (each) => each.slug)) {
    const names = options.map(({ name }) => name).join(' and ')
    if (options.length > 1) faults.push(`Options ${names} have the same slug, ${slug}: give them titles or slugs that differ.`)
    if (!SLUG.test(slug) || slug.length > 200)
      faults.push(`The slug of option ${names} needs lower-case words joined by hyphens, and at most 200 characters.`)
  }
  return faults.join(' ')
}

function checkRules({ title, question, rules, resolution_source: name, resolution_source_url: source }: DraftContent): DraftCheck[] {
  const { require, warn } = checksOf('rules')
  const vague = [...new Set([title, question, rules].join('\n').toLowerCase().match(VAGUE))]
  const isSource = source === '' || isWebAddress(source)
  const ambiguous = `Two people could read this differently: ${vague.join(', ')}.`
  return [
    require('rules', rules.trim().length >= RULES, `Rules need at least ${RULES} characters.`, 'There are rules.'),
    isSource
      ? warn('source', `${name}${source}`.trim() !== '', 'No source is named: readers cannot see what decides.', 'The source is named.')
      : check('source', 'rules', 'error', 'The source is no web address.'),
    warn('ambiguity', vague.length === 0, ambiguous, 'No word was found that two people read differently.'),
    warn('time_zone', !TIME.test(rules) || ZONE.test(rules), 'The rules name a time without a time zone.', 'Times have a time zone.'),
  ]
}

/** Checks against what the site has stored. */
async function checkStored(em: EntityManager, draft: DraftContent): Promise<DraftCheck[]> {
  const db = tables(em)
  const taken = await db
    .selectFrom('event')
    .select('slug')
    .where('slug', '=', draft.slug)
    .union(
      db
        .selectFrom('market')
        .select('slug')
        .where('slug', '=', anyOf([draft.slug, ...marketSlugs(draft)])),
    )
    .limit(5)
    .execute()
  const known = await tagSlugs(em).where('slug', '=', anyOf(draft.tags)).execute()
  const unknown = draft.tags.filter((tag) => !known.some(({ slug }) => slug === tag)).map((slug) => ({ slug }))
  const likeness = sql<number>`similarity(lower(title), lower(${draft.title}))`
  const alike = await db
    .selectFrom('event')
    .select('title')
    .where('status', 'in', ['active', 'draft'])
    .where('slug', '<>', draft.slug)
    .where(likeness, '>', ALIKE)
    .orderBy(likeness, 'desc')
    .limit(3)
    .execute()
  const list = (rows: { slug: string }[]) => rows.map(({ slug }) => slug).join(', ')
  return [
    check('slug_free', 'idea', taken.length > 0 ? 'error' : 'ok', taken.length > 0 ? `Taken: ${list(taken)}.` : 'The slugs are free.'),
    check(
      'categories_known',
      'idea',
      unknown.length > 0 ? 'error' : 'ok',
      unknown.length > 0 ? `There is no category ${list(unknown)}.` : 'The categories are known.',
    ),
    check(
      'duplicate',
      'idea',
      alike.length > 0 ? 'warning' : 'ok',
      alike.length > 0 ? `Much like: ${alike.map(({ title }) => `“${title}”`).join(', ')}.` : 'No event is much like it.',
    ),
  ]
}

function isWebAddress(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') && url.username === '' && url.hostname.includes('.')
}
