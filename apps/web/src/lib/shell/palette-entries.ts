import type { Event } from '@augury/wire/platform/event'
import { LOCALE_NAMES, type Locale } from '#lib/language/locale.ts'
import { chance } from '#lib/language/numbers.ts'
import { eventCard } from '#lib/lists/event-card.ts'
import { m } from '#lib/paraglide/messages.js'
import { nameOf, shortAddress } from '#lib/people/person.ts'
import { THEMES } from './theme.ts'

/** An action of the palette: opens a page or changes the appearance. */
export interface Entry {
  id: string
  group: 'events' | 'people' | 'pages' | 'actions'
  text: string
  /** Muted text beside it. */
  detail?: string
  /** Path of its picture on this site. */
  picture?: string
  /** The outcome that `detail` is the chance of. */
  outcome?: string
  href?: string
  /** A field of the appearance form, with its value. */
  set?: { theme: string } | { locale: string }
}

const pages = [
  { href: '/', text: m.nav_markets },
  { href: '/saved', text: m.nav_saved },
  { href: '/portfolio', text: m.nav_portfolio },
  { href: '/money', text: m.nav_money },
  { href: '/activity', text: m.nav_activity },
  { href: '/leaderboard', text: m.nav_leaderboard },
  { href: '/notifications', text: m.nav_notifications },
  { href: '/settings', text: m.nav_settings },
  { href: '/docs', text: m.nav_docs },
  { href: '/docs/api', text: m.nav_api },
  { href: '/changelog', text: m.nav_changelog },
  { href: '/status', text: m.nav_status },
  { href: '/verify', text: m.nav_verify },
] as const

const themeNames = { system: m.theme_system, light: m.theme_light, dark: m.theme_dark, contrast: m.theme_contrast } as const

/** Every page and action, in the language of the page. `offered` are the languages that there are to choose from. */
const all = (offered: readonly Locale[]): Entry[] => [
  ...pages.map(({ href, text }): Entry => ({ id: `page-${href}`, group: 'pages', text: text(), detail: href, href })),
  ...THEMES.map(
    (theme): Entry => ({ id: `theme-${theme}`, group: 'actions', text: m.palette_theme({ name: themeNames[theme]() }), set: { theme } }),
  ),
  ...offered.map(
    (locale): Entry => ({
      id: `locale-${locale}`,
      group: 'actions',
      text: m.palette_language({ name: LOCALE_NAMES[locale] }),
      set: { locale },
    }),
  ),
]

/** Pages and actions whose name or path contains every word of a text. */
export function entriesFor(text: string, offered: readonly Locale[]): Entry[] {
  const words = text.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  return all(offered).filter((entry) => {
    const named = `${entry.text} ${entry.detail ?? ''}`.toLocaleLowerCase()
    return words.every((word) => named.includes(word))
  })
}

/** An event with the chance of the outcome that was found, of the likeliest, or of its only market. */
export function eventEntry(event: Event): Entry {
  const { slug, title, picture, markets, rows } = eventCard(event, 1)
  const [row] = rows
  const detail = row && (row.result ?? (row.percent === null ? '' : chance(row.percent)))
  return {
    id: `event-${slug}`,
    group: 'events',
    text: title,
    href: `/event/${slug}${row?.found ? `/${row.slug}` : ''}`,
    picture,
    ...(detail && { detail }),
    ...(row && markets > 1 && (row.found || detail) && { outcome: row.name }),
  }
}

/** A member. */
export const personEntry = ({ address, username }: { address: string; username: string | null }): Entry => ({
  id: `person-${address}`,
  group: 'people',
  text: nameOf({ address, username }),
  detail: username === null ? '' : shortAddress(address),
  href: `/u/${username ?? address}`,
})
