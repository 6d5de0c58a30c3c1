import { hiddenFrom } from '@augury/platform/activity/hidden-from'
import { marketContexts } from '@augury/platform/creation/market-context'
import { chanceLines } from '@augury/platform/events/chance-lines'
import { eventBySlug, hiddenAmong } from '@augury/platform/events/event-by-slug'
import { eventChanges } from '@augury/platform/events/event-changes'
import { relatedEvents } from '@augury/platform/events/related-events'
import { seriesOfEvent } from '@augury/platform/prices/series-of-event'
import { resolutionHistory } from '@augury/platform/resolution/history'
import { readRange } from '#lib/charts/range.ts'
import { eventView, inShownOrder } from '#lib/event/event-view.ts'
import { followed } from '#lib/lists/event-card.ts'
import { chartLines, inOrderOf } from '#lib/lists/featured.ts'
import { eventJsonLd } from '#lib/server/event-json-ld.ts'
import { readQuotes, withFigures } from '#lib/server/exchange.ts'
import { readOwn } from '#lib/server/own.ts'
import type { LayoutServerLoad } from './$types'

export const load: LayoutServerLoad = async ({ locals: { locale, platform, settings, site, viewer, exchange }, params, url }) => {
  const range = readRange(url.searchParams.get('range'))
  const [event, hidden, closed, lines, related, resolutions, series, contexts, changes] = await Promise.all([
    eventBySlug(platform, viewer, { slug: params.slug, locale }),
    hiddenAmong(platform, [params.slug]),
    hiddenFrom(site, viewer, { event: params.slug }),
    chanceLines(platform, { slug: params.slug, range }),
    relatedEvents(platform, { params: { slug: params.slug }, query: { locale } }),
    resolutionHistory(platform, { slug: params.slug }),
    seriesOfEvent(platform, { slug: params.slug }),
    marketContexts(platform, { slug: params.slug }),
    eventChanges(platform, { slug: params.slug }),
  ])
  const view = eventView(event)
  const now = platform.now().getTime()
  const [read, counted, own] = await Promise.all([
    readQuotes(exchange, view.markets, now),
    withFigures(exchange, view, now),
    readOwn(site, viewer, view),
  ])
  const { event: ordered, quotes } = inShownOrder(counted, read)
  return {
    event: ordered,
    hidden: hidden.has(params.slug),
    /** Whether the reader sees who talks, trades and holds here. */
    talks: closed.size === 0,
    lines: inOrderOf(ordered.markets, chartLines(event, lines)),
    range,
    related: related.map(({ slug, title, picture, chance, leading, leading_market: market }) => ({
      ...{ slug, title, picture, below: leading ?? '' },
      market: market && followed(market.condition_id, market.token_id, chance),
    })),
    resolutions,
    series,
    contexts,
    changes,
    jsonLd: eventJsonLd(view, { origin: settings.origin, locale }),
    quotes,
    own,
    now: platform.now().getTime(),
  }
}
