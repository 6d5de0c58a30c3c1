import { chanceLines } from '@augury/platform/events/chance-lines'
import { chancesDayAgo } from '@augury/platform/events/movers'
import { error } from '@sveltejs/kit'
import { drawChart } from '#lib/charts/draw-chart.ts'
import { type Line, upTo } from '#lib/charts/lines.ts'
import { m } from '#lib/paraglide/messages.js'
import { keepChoice } from '#lib/server/choices.ts'
import { readPanel, readTerms } from '#lib/server/exchange.ts'
import { MODE_COOKIE, readMode } from '#lib/shell/theme.ts'
import type { PageServerLoad } from './$types'

/**
 * Loads book, trades and chart line of one market: the one in the URL, or the only one, or for trading the leading one; and the terms of the
 * ticket's market. A mode in the URL is stored as the reader's choice, like a language.
 */
export const load: PageServerLoad = async (event) => {
  const { cookies, locals, params, parent, url } = event
  const { event: shown, lines, range, quotes, now } = await parent()
  const only = shown.markets.length === 1 ? shown.markets[0] : undefined
  const market = params.market === undefined ? only : shown.markets.find(({ slug }) => slug === params.market)
  if (params.market !== undefined && !market) error(404, m.error_market())
  const named = readMode(url.searchParams.get('mode'))
  if (named) keepChoice(event, MODE_COOKIE, named)
  const mode = named ?? readMode(cookies.get(MODE_COOKIE)) ?? 'reading'
  const aimed = market ?? shown.markets.find(({ open }) => open)
  const unfolded = mode === 'trading' ? aimed : market
  const { exchange, platform } = locals
  /** The line of the selected market, unless it is among the leading ones. */
  const ownLine = async ({ conditionId, slug, name, place }: (typeof shown.markets)[number]): Promise<Line | null> => {
    if (lines.some((line) => line.slug === slug)) return null
    const [line] = await chanceLines(platform, { slug: shown.slug, range, of: [conditionId] })
    return line ? { slug, name, place, points: line.history, earlier: line.earlier } : null
  }
  const [panel, line, terms, past] = await Promise.all([
    unfolded ? readPanel(exchange, unfolded) : null,
    unfolded ? ownLine(unfolded) : null,
    aimed?.open ? readTerms(exchange, aimed) : null,
    only ? chancesDayAgo(platform, [only.conditionId]) : null,
  ])
  const all = line ? [...lines, line] : lines
  const percents = new Map(shown.markets.map(({ slug }, i) => [slug, quotes[i]?.percent ?? null]))
  const until = shown.resolvedAt ?? now
  const drawn = all.length === 0 ? null : drawChart(upTo(all, until, percents), until)
  const dayAgo = (only && past?.get(only.conditionId)) ?? null
  return { selected: market?.slug ?? null, aimed: aimed?.slug ?? null, panel, line, terms, dayAgo, drawn, mode }
}
