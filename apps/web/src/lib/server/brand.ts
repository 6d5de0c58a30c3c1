import { within } from '@augury/platform/outbound/within'
import type { Platform } from '@augury/platform/site/platform'
import { type SiteBrand, siteBrand } from '@augury/platform/themes/site-brand'
import { defaultSettings } from '@augury/wire/platform/settings'
import { themePresets } from '@augury/wire/platform/theme'
import type { Brand } from '#lib/shell/brand.ts'
import { log } from './log.ts'

const { general, locales } = defaultSettings
const { light, dark } = themePresets.default

/** The default brand. */
export const PLAIN: SiteBrand = {
  name: general.siteName,
  description: general.siteDescription,
  logo: null,
  icons: { small: '', large: '' },
  links: [],
  analyticsId: '',
  walletConnectId: '',
  locales: locales.enabledLocales,
  defaultLocale: locales.defaultLocale,
  announcement: null,
  theme: null,
  colours: { light: light.surface, dark: dark.surface, background: light.bg },
}

/** Milliseconds to wait for the brand. */
const PATIENCE_MS = 2000

/** The site's brand. Falls back to the default, and logs why, if it cannot be read in time. */
export async function readBrand(platform: Platform, requestId: string): Promise<SiteBrand> {
  try {
    return await within(PATIENCE_MS, siteBrand(platform), () => new Error('the database did not answer in time'))
  } catch (error) {
    log.error({ requestId, error }, 'the brand could not be read')
    return PLAIN
  }
}

/** The part of the brand that pages use. The default description is left to them, as it is translated. */
export function shownBrand({ name, description, logo, links, locales }: SiteBrand): Brand {
  return { name, description: description === general.siteDescription ? '' : description, logo, links, locales }
}

/** Inserts the colours of a theme after all styles of a page, and as the browser's theme colour. */
export function themed(html: string, { theme, colours }: SiteBrand): string {
  if (!theme) return html
  return html
    .replace(/(<meta name="theme-color" content=")[^"]*(" media="\(prefers-color-scheme: light\)")/, `$1${colours.light}$2`)
    .replace(/(<meta name="theme-color" content=")[^"]*(" media="\(prefers-color-scheme: dark\)")/, `$1${colours.dark}$2`)
    .replace('</head>', `<style>${theme.css}</style></head>`)
}

/** Allows the theme's style, by its hash, in the content security policy of a page. */
export const allowTheme = (policy: string, { theme }: SiteBrand): string =>
  theme ? policy.replace("style-src 'self'", `style-src 'self' '${theme.hash}'`) : policy
