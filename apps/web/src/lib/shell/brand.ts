import type { Locale } from '#lib/language/locale.ts'

/** The site's brand for pages. */
export interface Brand {
  name: string
  /** The operator's text; empty for the default one. */
  description: string
  /** Source of the logo's `img`; null for the default logo. */
  logo: string | null
  links: { name: string; url: string }[]
  /** Offered languages. */
  locales: Locale[]
}
