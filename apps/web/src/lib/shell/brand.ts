import type { Locale } from '#lib/language/locale.ts'

/** What pages show of whose site it is. */
export interface Brand {
  name: string
  /** The operator's own words; empty where the site's are. */
  description: string
  /** What an `img` shows for a logo; null for the one that the site comes with. */
  logo: string | null
  links: { name: string; url: string }[]
  /** Languages that are offered. */
  locales: Locale[]
}
