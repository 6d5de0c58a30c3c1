import type { SiteBrand } from '@augury/platform/settings/site-brand'
import { directionOf, type Locale } from '#lib/language/locale.ts'
import { m } from '#lib/paraglide/messages.js'
import { escaped } from './escaped.ts'

/** What ends every page, after the frame of what the browser draws itself. */
const END = '</body>'

/**
 * Puts what everybody is told into a page, in the reader's language where it was written in that. It comes last, so that the link to the content
 * stays the first thing that keys reach, and stands at the head by its style. It is no part of what the browser draws and costs no script; who follows links goes on reading it, and the next page that is loaded whole tells how it stands then: after five minutes by a link.
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
