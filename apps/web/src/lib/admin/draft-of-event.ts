import type { Output } from '@augury/wire/operation'
import type { adminEventOperations } from '@augury/wire/platform/admin-events'
import type { DraftContent } from '@augury/wire/platform/draft'

type Shown = Output<typeof adminEventOperations.adminEvent>['data']

/** What a draft of another event like this one starts with. Its address and end are its own, and so is the fee, which the settings give. */
export function draftOfEvent({ event, markets }: Pick<Shown, 'event' | 'markets'>): Partial<DraftContent> {
  const [first] = markets
  if (!first) return { title: event.title, tags: event.tags, rules: event.rules }
  const mode = event.neg_risk ? 'exclusive' : markets.length === 1 ? 'binary' : 'several'
  return {
    title: event.title,
    icon_url: event.icon_url.startsWith('/uploads/') ? event.icon_url : '',
    mode,
    tags: event.tags,
    ...(mode === 'binary'
      ? { question: first.question, outcomes: [first.outcomes[0] ?? 'Yes', first.outcomes[1] ?? 'No'] as [string, string] }
      : { options: markets.map(({ question, short_title }) => ({ question, short_title, slug: '' })) }),
    rules: event.rules || first.rules,
    resolution_source: first.resolution_source,
    resolution_source_url: first.resolution_source_url,
    tick_size: first.tick_size,
    min_size: Math.max(1, Math.ceil(first.min_size)),
  }
}
