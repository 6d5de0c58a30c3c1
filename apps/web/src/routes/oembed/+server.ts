import { anonymous } from '@augury/platform/authorization/viewer'
import { eventBySlug } from '@augury/platform/events/event-by-slug'
import { ServiceError } from '@augury/wire/service-error'
import { titleSaid } from '#lib/event/named-outcome.ts'
import { readLocale } from '#lib/language/locale.ts'
import { marketRow } from '#lib/lists/event-card.ts'
import { oembedOf, pageOf } from '#lib/server/oembed.ts'
import { isOwnHost } from '#lib/server/own-host.ts'
import { withLocale } from '#lib/server/page-locale.ts'
import type { RequestHandler } from './$types'

/** oEmbed (https://oembed.com) of event pages, for sites that embed by address. JSON only. */
export const GET: RequestHandler = async ({ locals: { brand, platform, settings }, url: { searchParams } }) => {
  try {
    const format = searchParams.get('format') ?? 'json'
    if (format !== 'json') throw new ServiceError('unsupported', { text: 'only the format json is offered' })
    const address = searchParams.get('url')
    if (!address) throw invalid('url', 'expected the address of an event')
    const most = { width: readSize(searchParams, 'maxwidth'), height: readSize(searchParams, 'maxheight') }
    const page = pageOf(address, (host) => isOwnHost(host, settings))
    if (!page) throw new ServiceError('event_not_found')
    const locale = readLocale(page.locale) ?? brand.defaultLocale
    const event = await eventBySlug(platform, anonymous, { slug: page.slug, locale, listed: true })
    const market = event.markets.find(({ slug }) => slug === page.market)
    if (page.market !== null && !market) throw new ServiceError('market_not_found')
    const single = event.markets.length === 1
    const named = market ?? (single ? event.markets[0] : undefined)
    const title = withLocale(locale, () => titleSaid(event.title, named ? marketRow(named) : null, { single, shown: page.side }))
    const body = oembedOf(page, { origin: settings.origin, site: brand.name, title, most })
    return Response.json(body, { headers: { ...OPEN, 'cache-control': 'public, max-age=300' } })
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return Response.json(error.body(), { status: error.status, headers: OPEN })
  }
}

const OPEN = { 'access-control-allow-origin': '*' }

const invalid = (path: string, problem: string) => new ServiceError('invalid_payload', { details: [{ path, problem }] })

/** A size in pixels, or undefined where none is named. Throws `invalid_payload`. */
function readSize(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  if (text === null || text === '') return
  if (!/^[1-9]\d{0,5}$/.test(text)) throw invalid(name, 'expected a number of pixels')
  return Number(text)
}
