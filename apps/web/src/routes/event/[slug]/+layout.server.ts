import { chanceLines } from '@augury/platform/events/chance-lines'
import { eventBySlug } from '@augury/platform/events/event-by-slug'
import { relatedEvents } from '@augury/platform/events/related-events'
import { seriesOfEvent } from '@augury/platform/prices/series-of-event'
import { resolutionHistory } from '@augury/platform/resolution/history'
import { eventView } from '#lib/event-view.ts'
import { chartLines } from '#lib/featured.ts'
import { readRange } from '#lib/range.ts'
import { readQuotes } from '#lib/server/exchange.ts'
import type { LayoutServerLoad } from './$types'

export const load: LayoutServerLoad = async ({ locals: { platform, viewer, exchange, settings }, params, url }) => {
  const range = readRange(url.searchParams.get('range'))
  const [event, lines, related, resolutions, series] = await Promise.all([
    eventBySlug(platform, viewer, { slug: params.slug }),
    chanceLines(platform, { slug: params.slug, range }),
    relatedEvents(platform, { params: { slug: params.slug }, query: { locale: 'en' } }),
    resolutionHistory(platform, { slug: params.slug }),
    seriesOfEvent(platform, { slug: params.slug }),
  ])
  const view = eventView(event)
  return {
    event: view,
    lines: chartLines(event, lines),
    range,
    related,
    resolutions,
    series,
    quotes: await readQuotes(exchange, view.markets),
    clobUrl: settings.publicClobUrl,
    now: platform.now().getTime(),
  }
}
