import type { Platform } from '@augury/platform/platform'
import { type SiteBrand, siteBrand } from '@augury/platform/settings/site-brand'
import { defaultSettings } from '@augury/wire/platform/settings'
import { themePresets } from '@augury/wire/platform/theme'
import type { Brand } from '#lib/shell/brand.ts'
import { log } from './log.ts'

const { general, locales } = defaultSettings
const { light, dark } = themePresets.default

/** How a site comes. */
export const PLAIN: SiteBrand = {
  name: general.siteName,
  description: general.siteDescription,
  logo: null,
  icons: { small: '', large: '' },
  links: [],
  analyticsId: '',
  locales: locales.enabledLocales,
  defaultLocale: locales.defaultLocale,
  announcement: null,
  theme: null,
  colours: { light: light.surface, dark: dark.surface, background: light.bg },
}

/** Milliseconds that a page waits for its brand. */
const PATIENCE_MS = 2000

/** The brand of the site. A page stands also while it cannot be read, or not soon, as the site comes; the log says why. */
export async function readBrand(platform: Platform, requestId: string): Promise<SiteBrand> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('the database did not answer in time')), PATIENCE_MS)
  try {
    return await Promise.race([siteBrand(platform), late.promise])
  } catch (error) {
    log.error({ requestId, error }, 'the brand could not be read')
    return PLAIN
  } finally {
    clearTimeout(timer)
  }
}

/** What pages know of it. The sentence that the site comes with is theirs to say, in every language. */
export function shownBrand({ name, description, logo, links, locales }: SiteBrand): Brand {
  return { name, description: description === general.siteDescription ? '' : description, logo, links, locales }
}

/** Puts the colours of a theme behind every rule of the page, and behind the browser's bars. */
export function themed(html: string, { theme, colours }: SiteBrand): string {
  if (!theme) return html
  return html
    .replace(/(<meta name="theme-color" content=")[^"]*(" media="\(prefers-color-scheme: light\)")/, `$1${colours.light}$2`)
    .replace(/(<meta name="theme-color" content=")[^"]*(" media="\(prefers-color-scheme: dark\)")/, `$1${colours.dark}$2`)
    .replace('</head>', `<style>${theme.css}</style></head>`)
}

/** Lets the rule of the theme, and no other, into the policy of a page. */
export const allowTheme = (policy: string, { theme }: SiteBrand): string =>
  theme ? policy.replace("style-src 'self'", `style-src 'self' '${theme.hash}'`) : policy
