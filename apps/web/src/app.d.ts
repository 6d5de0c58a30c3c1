declare global {
  namespace App {
    interface Error {
      /** What a person quotes when asking for help; also in the X-Request-Id header. */
      requestId?: string
    }
    interface Locals {
      requestId: string
      /** Whose site it is. */
      brand: import('@augury/platform/settings/site-brand').SiteBrand
      /** How this visit is counted; null where it is not. */
      analytics: import('#lib/shell/analytics.ts').Analytics | null
      look: import('#lib/shell/theme.ts').Look
      locale: import('#lib/language/locale.ts').Locale
      settings: import('@augury/settings/env').WebSettings
      site: import('@augury/platform/site').Site
      /** The same, for what needs to know no member. */
      platform: import('@augury/platform/platform').Platform
      exchange: import('@augury/client/rest').VenueClient
      /** Who is behind the request, as a key for budgets. */
      clientAddress: string
      /** Who looks at a page. Routes under /api and /trpc find out for themselves. */
      viewer: import('@augury/platform/identity/viewer').Viewer
    }
  }
}

export {}
