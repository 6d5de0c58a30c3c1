import type { DraftContent } from './draft.ts'

/** Where the date of an event that comes again belongs, in its texts and in its address. */
export const PLACE = '{date}'

/** The event of a draft that ends at a time: its date stands where the places were, and by itself it does not come again. */
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

/** The event that a draft becomes first: the draft itself, or the first of those that come again. */
export const firstOf = (content: DraftContent): DraftContent =>
  content.recurrence === null || content.end_date === null ? content : occurrence(content, new Date(content.end_date))
