import { createHash } from 'node:crypto'
import type { Locale, SettingsOf } from '@augury/wire/platform/settings'
import type { Platform } from '../platform.ts'
import { activeTheme, themeCss } from '../themes/site-theme.ts'
import { readSettings } from './site-settings.ts'

/** What makes a site its operator's: what every page and the manifest show of it. */
export interface SiteBrand {
  name: string
  description: string
  /** What an `img` shows for a logo; null where there is none of its own. */
  logo: string | null
  /** Paths of the square icons; empty where there are none. */
  icons: { small: string; large: string }
  links: { name: string; url: string }[]
  /** Measurement id by which visits are counted; empty where they are not. */
  analyticsId: string
  locales: Locale[]
  defaultLocale: Locale
  /** What everybody is told; null where nobody wrote anything. When it ends is looked at for every page. */
  announcement: SettingsOf<'announcement'> | null
  /** Null while the site looks as it comes. `hash` lets a policy pass the rule. */
  theme: { css: string; hash: string } | null
  /** Behind the browser's own bars, and behind everything. */
  colours: { light: string; dark: string; background: string }
}

const LINKS = [
  ['Discord', 'discordLink'],
  ['X', 'twitterLink'],
  ['Facebook', 'facebookLink'],
  ['Instagram', 'instagramLink'],
  ['TikTok', 'tiktokLink'],
  ['LinkedIn', 'linkedinLink'],
  ['YouTube', 'youtubeLink'],
  ['Support', 'supportUrl'],
] as const

/** The brand as it is now: kept like a list, and turned by what an admin does, in every process. */
export const siteBrand = (platform: Platform): Promise<SiteBrand> => platform.lists.read('brand', ['lists'], () => readBrand(platform))

async function readBrand(platform: Platform): Promise<SiteBrand> {
  const { general, locales, announcement } = await readSettings(platform.em(), ['general', 'locales', 'announcement'])
  const { values } = general
  const { version, tokens } = await activeTheme(platform)
  const css = themeCss(tokens)
  return {
    name: values.siteName,
    description: values.siteDescription,
    logo: values.logoMode === 'svg' ? svgAddress(values.logoSvg) : values.logoImagePath || null,
    icons: { small: values.pwaIcon192Path, large: values.pwaIcon512Path },
    links: LINKS.flatMap(([name, key]) => (values[key] === '' ? [] : [{ name, url: values[key] }])),
    analyticsId: values.googleAnalyticsId,
    locales: locales.values.enabledLocales,
    defaultLocale: locales.values.defaultLocale,
    announcement: Object.values(announcement.values.texts).some((text) => text !== '') ? announcement.values : null,
    theme: version === 0 ? null : { css, hash: `sha256-${createHash('sha256').update(css).digest('base64')}` },
    colours: { light: tokens.light.surface, dark: tokens.dark.surface, background: tokens.light.bg },
  }
}

/** A drawing as an address of an image: there it runs nothing, whatever it holds. */
const svgAddress = (svg: string): string | null => (svg === '' ? null : `data:image/svg+xml,${encodeURIComponent(svg)}`)
