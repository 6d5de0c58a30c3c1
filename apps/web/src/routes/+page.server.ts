import { chanceLines } from '@augury/platform/events/chance-lines'
import { listEvents } from '@augury/platform/events/list-events'
import { movers } from '@augury/platform/events/movers'
import { pinnedEvents } from '@augury/platform/events/pinned-events'
import { sparks } from '@augury/platform/events/sparks'
import type { Platform } from '@augury/platform/site/platform'
import type { Event } from '@augury/wire/platform/event'
import { money } from '#lib/language/numbers.ts'
import { followed } from '#lib/lists/event-card.ts'
import { type Featured, featured, featuredCard, soonRow } from '#lib/lists/featured.ts'
import { PAGE_SIZE, readListQuery } from '#lib/lists/list-query.ts'
import { m } from '#lib/paraglide/messages.js'
import { listInput } from '#lib/server/list-input.ts'
import { listPage } from '#lib/server/list-page.ts'
import type { PageServerLoad } from './$types'

/** Events that lead the page, one after another. */
const SLIDES = 4
/** Events in the list "ending soon", which is shown if there are no movers. */
const SOON = 4
/** Events read for it, as windows of price series, which always end soon, are skipped. */
const SOON_READ = 24
const SOON_BESIDE_MOVERS = 2

export const load: PageServerLoad = async ({ locals: { locale, platform, viewer }, url }) => {
  // Long texts that are read once come with the page: its script would bring them in all languages.
  const description = m.site_description({}, { locale })
  const query = readListQuery(url.searchParams)
  const bare = url.search === ''
  const [events, soon, moved, pinned] = await Promise.all([
    listEvents(platform, viewer, listInput(query, PAGE_SIZE + 1)),
    bare ? listEvents(platform, viewer, listInput({ ...query, sort: 'end_date' }, SOON_READ)) : [],
    bare ? movers(platform, { locale }) : [],
    bare ? pinnedEvents(platform, viewer, { locale }) : [],
  ])
  const list = await listPage(platform, query, events, pinned)
  const slides = [...new Map([...pinned, ...events].map((event) => [event.slug, event])).values()].slice(0, SLIDES)
  if (!bare || slides.length === 0) return { list, description, front: null, intro: null, movers: [], soon: [] }
  const conditions = moved.map(({ condition_id }) => condition_id)
  const [lastWeek, ...front] = await Promise.all([
    sparks(platform, conditions),
    ...slides.map((event) => withLines(platform, event, list.now)),
  ])
  // What has ended is first in that order until the sync closes it.
  const lasting = soon.filter(({ series_slug, end_date }) => series_slug === null && end_date !== null && Date.parse(end_date) > list.now)
  const beside = lasting.slice(0, moved.length > 1 ? SOON_BESIDE_MOVERS : SOON)
  const intro = m.home_intro({ dollar: money(1) }, { locale })
  const rows = moved.map(({ event_slug: slug, title, name, picture, chance, change, condition_id, yes_token }) => ({
    ...{ slug, title, picture, change, below: name ?? m.chance_word({}, { locale }), spark: lastWeek.get(condition_id) ?? [] },
    market: followed(condition_id, yes_token ?? '', chance),
  }))
  return { list, description, front, intro, movers: moved.length > 1 ? rows : [], soon: beside.map(soonRow) }
}

/** An event with the chart of its last month. */
async function withLines(platform: Platform, event: Event, now: number): Promise<Featured> {
  const card = featuredCard(event)
  const of = card.rows.map(({ conditionId }) => conditionId)
  return featured(event, card, await chanceLines(platform, { slug: event.slug, range: '1m', of }), now)
}
