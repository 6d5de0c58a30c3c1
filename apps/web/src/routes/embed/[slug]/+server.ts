import { anonymous } from '@augury/platform/authorization/viewer'
import { chanceLines } from '@augury/platform/events/chance-lines'
import { eventBySlug } from '@augury/platform/events/event-by-slug'
import { error } from '@sveltejs/kit'
import { upTo } from '#lib/charts/lines.ts'
import { CODE } from '#lib/event/referral-code.ts'
import { readLocale } from '#lib/language/locale.ts'
import { eventCard, outcomeCard } from '#lib/lists/event-card.ts'
import { chartLines, inOrderOf } from '#lib/lists/featured.ts'
import { m } from '#lib/paraglide/messages.js'
import { embedPage } from '#lib/server/embed-page.ts'
import { ofNo, sideOf } from '#lib/server/event-picture.ts'
import { withLocale } from '#lib/server/page-locale.ts'
import { readTheme } from '#lib/shell/theme.ts'
import type { RequestHandler } from './$types'

/** Seconds for which the card may be cached. */
const FRESH = 30
const WEEK_MS = 604_800_000

/**
 * The card of an event for iframes on other sites. `market` narrows it to one outcome, `outcome=no` shows the No of that, `theme` and `lang` choose appearance and
 * language, `by` is a referral code for its links. Without scripts, cookies and trading.
 */
export const GET: RequestHandler = async ({ locals: { brand, platform, settings }, params: { slug }, url }) => {
  const { searchParams } = url
  const locale = readLocale(searchParams.get('lang')) ?? brand.defaultLocale
  const event = await eventBySlug(platform, anonymous, { slug, locale, listed: true })
  const now = event.resolved_at === null ? platform.now().getTime() : Date.parse(event.resolved_at)
  const young = now - Date.parse(event.created_at) < WEEK_MS
  const market = searchParams.get('market')
  const card = withLocale(locale, () => (market === null ? eventCard(event) : outcomeCard(event, market)))
  if (!card)
    error(
      404,
      withLocale(locale, () => m.error_market()),
    )
  const of = card.rows.map(({ conditionId }) => conditionId)
  const history = await chanceLines(platform, { slug, range: young ? 'all' : '1w', of })
  const percents = new Map(card.rows.map((row) => [row.slug, row.percent]))
  const lines = upTo(inOrderOf(card.rows, chartLines(event, history)), now, percents)
  const isSingle = card.markets === 1
  const { side } = sideOf(url)
  const isNo = side === 1 && (market !== null || isSingle)
  const by = searchParams.get('by') ?? ''
  const path = (market === null || isSingle ? `/event/${slug}` : `/event/${slug}/${market}`) + (isNo ? '?outcome=no' : '')
  const href = settings.origin + (CODE.test(by) ? `/r/${by}?to=${encodeURIComponent(path)}` : path)
  const { html, policy } = withLocale(locale, () =>
    embedPage(
      { ...(isNo ? ofNo(card, lines) : { card, lines }), now, href, site: brand.name },
      { theme: readTheme(searchParams.get('theme')), locale, brand },
    ),
  )
  return new Response(html, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'cache-control': `public, max-age=${FRESH}`,
    },
  })
}
