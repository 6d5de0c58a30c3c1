import type { SiteBrand } from '@augury/platform/themes/site-brand'
import { directionOf, type Locale } from '#lib/language/locale.ts'
import { m } from '#lib/paraglide/messages.js'
import { escaped } from './escaped.ts'

/** End of every page, where the announcement is inserted. */
const END = '</body>'

/**
 * Inserts the announcement into a page, in the reader's language if available. It is last in the document, so that the skip link stays first in
 * tab order, and styled to the top. It is outside of the hydrated part and needs no script: it stays during client-side navigation and is updated
 * by the next full page load, which links cause after five minutes.
 */
export const announced = (html: string, brand: SiteBrand, locale: Locale, now: Date): string =>
  html.includes(END) ? html.replace(END, () => banner(brand, locale, now) + END) : html

function banner({ announcement, defaultLocale }: SiteBrand, locale: Locale, now: Date): string {
  if (!announcement || (announcement.until !== '' && Date.parse(announcement.until) <= now.getTime())) return ''
  const { texts, tone, link } = announcement
  const written = ([locale, defaultLocale, ...(Object.keys(texts) as Locale[])] as const).find((each) => texts[each])
  if (written === undefined) return ''
  const language = written === locale ? '' : ` lang="${written}" dir="${directionOf(written)}"`
  const more = link === '' ? '' : ` <a href="${escaped(link)}">${escaped(m.announcement_more())}</a>`
  const words = `<span${language}>${escaped(texts[written]!)}</span>`
  return `<aside class="announcement ${tone}" aria-label="${escaped(m.announcement())}"><p>${words}${more}</p></aside>`
}
