import type { DraftCheck, DraftContent } from '@augury/wire/platform/draft'
import { firstOf, PLACE } from '@augury/wire/platform/occurrence'
import { slugOf } from '@augury/wire/platform/slug'
import type { EntityManager } from '@mikro-orm/postgresql'

/** An event ends between an hour and ten years from now. */
const SOONEST_MS = 3_600_000
const LATEST_MS = 10 * 365 * 86_400_000
/** Characters of rules below which nobody could decide by them. */
const RULES = 60
/** How alike two titles are (0 … 1) before somebody should look whether it is one question. */
const ALIKE = 0.55
const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/

/** Words by which two people would decide differently. */
const VAGUE =
  /\b(soon|significant(ly)?|major|substantial(ly)?|likely|approximately|around|roughly|a lot|many|few|large|big|better|worse|successful(ly)?|widely|generally|eventually)\b/gi

/** Slug of each market of a draft, in order. */
export const marketSlugs = ({ mode, slug, options }: DraftContent): string[] =>
  mode === 'binary'
    ? [`${slug}-market`]
    : options.map((option) => option.slug || `${slug}-${slugOf(option.short_title || option.question)}`)

/** All that is looked at in a draft before it is published; every code comes once. */
export async function checkDraft(em: EntityManager, draft: DraftContent, now: Date): Promise<DraftCheck[]> {
  return [...checkTexts(draft, now), ...(await checkStored(em, firstOf(draft)))]
}

/** Whether nothing keeps it from being published. */
export const isReady = (checks: readonly DraftCheck[]): boolean => checks.every(({ state }) => state !== 'error')

const check = (code: string, step: DraftCheck['step'], state: DraftCheck['state'], text: string): DraftCheck => ({
  code,
  step,
  state,
  text,
})

/** What can be said of a draft by itself. */
export function checkTexts(written: DraftContent, now: Date): DraftCheck[] {
  const draft = firstOf(written)
  const { title, slug, end_date, tags, mode, question, outcomes, options, rules, resolution_source_url } = draft
  const say = (code: string, step: DraftCheck['step'], fine: boolean, bad: string, good: string, state: 'error' | 'warning' = 'error') =>
    check(code, step, fine ? 'ok' : state, fine ? good : bad)
  const ahead = end_date === null ? 0 : new Date(end_date).getTime() - now.getTime()
  const slugs = marketSlugs(draft)
  const enough = mode === 'binary' ? question.trim() !== '' : options.length >= 2
  const filled = options.every((option) => option.question.trim() !== '' && option.short_title.trim() !== '')
  const vague = [
    ...new Set(
      [title, question, rules]
        .join('\n')
        .match(VAGUE)
        ?.map((word) => word.toLowerCase()) ?? [],
    ),
  ]
  return [
    say('title', 'idea', title.trim().length >= 5, 'The title needs at least 5 characters.', 'The title is there.'),
    say(
      'slug',
      'idea',
      SLUG.test(slug) && slug.length <= 180,
      'The slug needs lower-case words joined by hyphens.',
      'The slug is well-formed.',
    ),
    say(
      'place',
      'idea',
      written.recurrence === null || written.slug.includes(PLACE),
      `What comes again needs ${PLACE} in its address.`,
      'No two of its events have one address.',
    ),
    say(
      'end_date',
      'idea',
      ahead >= SOONEST_MS && ahead <= LATEST_MS,
      'The end has to lie at least an hour ahead, and at most ten years.',
      'The end lies ahead.',
    ),
    say('category', 'idea', tags.length > 0, 'Choose a main category.', 'There is a category.'),
    say(
      'structure',
      'structure',
      enough && (mode === 'binary' || filled),
      mode === 'binary' ? 'Write the question.' : 'Give at least two options, each with its question and its short title.',
      'The questions are there.',
    ),
    say(
      'outcomes',
      'structure',
      outcomes.every((label) => label.trim() !== '') && outcomes[0].trim() !== outcomes[1].trim(),
      'The two outcomes need different names.',
      'The outcomes are named.',
    ),
    say(
      'distinct',
      'structure',
      new Set(slugs).size === slugs.length && slugs.every((each) => SLUG.test(each) && each.length <= 200),
      'Two options have the same slug, or one has none that can be used.',
      'Every market has a slug of its own.',
    ),
    say('rules', 'rules', rules.trim().length >= RULES, `Rules need at least ${RULES} characters.`, 'There are rules.'),
    say(
      'source',
      'rules',
      resolution_source_url === '' || isWebAddress(resolution_source_url),
      'The source is no web address.',
      resolution_source_url === '' ? 'No source is named.' : 'The source is a web address.',
    ),
    say(
      'ambiguity',
      'rules',
      vague.length === 0,
      `Two people could read this differently: ${vague.join(', ')}.`,
      'No word was found that two people read differently.',
      'warning',
    ),
    say(
      'time_zone',
      'rules',
      !/\b\d{1,2}(:\d{2})? ?(am|pm|o.clock)|\b\d{1,2}:\d{2}\b|\bmidnight\b|\bnoon\b/i.test(rules) ||
        /\b(UTC|GMT|[ECMP][SD]?T|CES?T)\b/.test(rules),
      'The rules name a time without a time zone.',
      'Times have a time zone.',
      'warning',
    ),
  ]
}

/** What depends on what the site has already. */
async function checkStored(em: EntityManager, draft: DraftContent): Promise<DraftCheck[]> {
  const slugs = JSON.stringify([draft.slug, ...marketSlugs(draft)])
  const taken: { slug: string }[] = await em.execute(
    `select slug from event where slug = ? union select slug from market where slug in (select jsonb_array_elements_text(?::jsonb)) limit 5`,
    [draft.slug, slugs],
  )
  const unknown: { slug: string }[] = await em.execute(
    'select value as slug from jsonb_array_elements_text(?::jsonb) where value not in (select slug from tag)',
    [JSON.stringify(draft.tags)],
  )
  const alike: { title: string }[] = await em.execute(
    `select title from event where status in ('active', 'draft') and slug <> ? and similarity(lower(title), lower(?)) > ? order by similarity(lower(title), lower(?)) desc limit 3`,
    [draft.slug, draft.title, ALIKE, draft.title],
  )
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
