import { anyOf, tables } from '@augury/domain/platform/tables'
import { parsePrice } from '@augury/units/decimal'
import { lots } from '@augury/units/lots'
import type { DraftContent } from '@augury/wire/platform/draft'
import { marketSlugs } from '@augury/wire/platform/slug'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Listing } from '../catalogue/listing.ts'
import { readSettings } from '../settings/site-settings.ts'

/** Lots per share, and the initial price in steps. */
const LOTS = 100
const EVEN = 5000

/** A draft that passed its checks as an event ready to be stored. */
export async function listingOf(em: EntityManager, draft: DraftContent, seriesSlug: string | null): Promise<Listing> {
  const { tradeFeeBps } = (await readSettings(em, ['affiliate'])).affiliate.values
  const tags = await tables(em).selectFrom('tag').select(['slug', 'name']).where('slug', '=', anyOf(draft.tags)).execute()
  const endDate = new Date(draft.end_date!)
  const slugs = marketSlugs(draft)
  const questions =
    draft.mode === 'binary'
      ? [{ question: draft.question, short_title: '' }]
      : draft.options.map(({ question, short_title }) => ({ question, short_title }))
  return {
    place: 'draft',
    slug: draft.slug,
    title: draft.title.trim(),
    negRisk: draft.mode === 'exclusive',
    tags: [...new Set(draft.tags)].map((slug) => ({ slug, label: tags.find((tag) => tag.slug === slug)?.name ?? slug })),
    rules: draft.rules.trim(),
    iconUrl: draft.icon_url,
    seriesSlug,
    startDate: null,
    endDate,
    rankingSeed: 0,
    markets: questions.map(({ question, short_title }, i) => ({
      slug: slugs[i]!,
      question: question.trim(),
      shortTitle: short_title.trim(),
      outcomes: draft.mode === 'binary' ? [draft.outcomes[0].trim(), draft.outcomes[1].trim()] : ['Yes', 'No'],
      endTime: endDate,
      grid: parsePrice(draft.tick_size),
      minLots: lots(draft.min_size * LOTS),
      feeBps: draft.fee_bps ?? tradeFeeBps,
      rules: draft.rules.trim(),
      resolutionSource: draft.resolution_source.trim(),
      resolutionSourceUrl: draft.resolution_source_url.trim(),
      iconUrl: '',
      listingPrice: EVEN,
      rankingSeed: 0,
    })),
  }
}
