import { CODE } from '#lib/event/referral-code.ts'
import { readLocale, splitLocale } from '#lib/language/locale.ts'
import { escaped } from './escaped.ts'
import { type Side, sideOf } from './event-picture.ts'

/** Size of an embedded card, in CSS pixels, unless less is asked for. */
const SIZE = { width: 480, height: 320 }
/** Seconds for which a consumer may keep an answer. */
const FRESH = 300

/** An event, or a market of it, by the address of its page. */
export interface PageAddress {
  slug: string
  market: string | null
  locale: string | null
  /** The outcome that it names: 1 is No. */
  side: Side
  /** Referral code of the address. */
  by: string | null
}

/** Reads the address of an event's page on this site; null for any other. */
export function pageOf(address: string, isOwn: (host: string) => boolean): PageAddress | null {
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol) || !isOwn(url.host)) return null
  const { locale, path } = splitLocale(url.pathname)
  const [, slug, market] = /^\/event\/([a-z0-9-]+)(?:\/([a-z0-9-]+))?\/?$/.exec(path) ?? []
  if (slug === undefined) return null
  const by = url.searchParams.get('r')?.toLowerCase() ?? ''
  const { side } = sideOf(url)
  const said = locale ?? readLocale(url.searchParams.get('lang'))
  return { slug, market: market ?? null, side, locale: said, by: CODE.test(by) ? by : null }
}

/** An oEmbed answer of type `rich`: the card of an event, or of the outcome that the address names, in a frame, within the size that the consumer has room for. */
export function oembedOf(
  { slug, market, side, locale, by }: PageAddress,
  {
    origin,
    site,
    title,
    most,
  }: { origin: string; site: string; title: string; most: { width?: number | undefined; height?: number | undefined } },
): Record<string, unknown> {
  const width = Math.min(SIZE.width, most.width ?? SIZE.width)
  const height = Math.min(SIZE.height, most.height ?? SIZE.height)
  const query = new URLSearchParams({
    ...(market !== null && { market }),
    ...(side === 1 && { outcome: 'no' }),
    ...(locale !== null && { lang: locale }),
    ...(by !== null && { by }),
  }).toString()
  const src = `${origin}/embed/${slug}${query && `?${query}`}`
  const attributes = { src, width, height, title, style: 'border:0;max-width:100%', loading: 'lazy' }
  const written = Object.entries(attributes).map(([name, value]) => `${name}="${escaped(String(value))}"`)
  return {
    ...{ version: '1.0', type: 'rich', title, provider_name: site, provider_url: origin },
    ...{ html: `<iframe ${written.join(' ')}></iframe>`, width, height, cache_age: FRESH },
  }
}
