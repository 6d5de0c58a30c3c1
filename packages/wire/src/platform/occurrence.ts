import type { DraftContent } from './draft.ts'

/** Placeholder for the date of a recurring event, in its texts and its slug. */
export const PLACE = '{date}'

/** One occurrence of a draft, ending at `end`: placeholders are replaced by its date, and it does not recur itself. */
export function occurrence(content: DraftContent, end: Date): DraftContent {
  const day = end.toISOString().slice(0, 10)
  const long = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }).format(end)
  const fill = (text: string) => text.replaceAll(PLACE, long)
  return {
    ...content,
    recurrence: null,
    end_date: end.toISOString(),
    slug: content.slug.replaceAll(PLACE, day),
    title: fill(content.title),
    question: fill(content.question),
    rules: fill(content.rules),
    options: content.options.map((option) => ({
      question: fill(option.question),
      short_title: option.short_title,
      slug: option.slug.replaceAll(PLACE, day),
    })),
  }
}

/** The first event of a draft: the draft itself, or its first occurrence if it recurs. */
export const firstOf = (content: DraftContent): DraftContent =>
  content.recurrence === null || content.end_date === null ? content : occurrence(content, new Date(content.end_date))
