import { createHash } from 'node:crypto'
import type { Locale, SettingsOf } from '@augury/wire/platform/settings'
import { readSettings } from '../settings/site-settings.ts'
import type { Platform } from '../site/platform.ts'
import { activeTheme, themeCss } from './site-theme.ts'

/** The brand of a site, as pages and the web manifest show it. */
export interface SiteBrand {
  name: string
  description: string
  /** `src` of the logo; null without one. */
  logo: string | null
  /** Paths of the square icons; empty without any. */
  icons: { small: string; large: string }
  links: { name: string; url: string }[]
  /** Measurement id for counting visits; empty when they are not counted. */
  analyticsId: string
  /** Project id of WalletConnect; empty without one. */
  walletConnectId: string
  locales: Locale[]
  defaultLocale: Locale
  /** The announcement, or null; pages check by themselves whether it has ended. */
  announcement: SettingsOf<'announcement'> | null
  /** CSS of the theme; null for the default look. `hash` is for the content security policy. */
  theme: { css: string; hash: string } | null
  /** Colours of the browser's bars and of the page background. */
  colours: { light: string; dark: string; background: string }
}

const LINKS = [
  ['Terms of service', 'termsUrl'],
  ['Discord', 'discordLink'],
  ['X', 'twitterLink'],
  ['Facebook', 'facebookLink'],
  ['Instagram', 'instagramLink'],
  ['TikTok', 'tiktokLink'],
  ['LinkedIn', 'linkedinLink'],
  ['YouTube', 'youtubeLink'],
  ['Support', 'supportUrl'],
] as const

/** The current brand, cached like a list and invalidated by every action of an admin. */
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
    walletConnectId: values.walletConnectProjectId,
    locales: locales.values.enabledLocales,
    defaultLocale: locales.values.defaultLocale,
    announcement: Object.values(announcement.values.texts).some((text) => text !== '') ? announcement.values : null,
    theme: version === 0 ? null : { css, hash: `sha256-${createHash('sha256').update(css).digest('base64')}` },
    colours: { light: tokens.light.surface, dark: tokens.dark.surface, background: tokens.light.bg },
  }
}

/** An SVG as a data URL for `img`, where no script in it runs. */
const svgAddress = (svg: string): string | null => (svg === '' ? null : `data:image/svg+xml,${encodeURIComponent(svg)}`)
