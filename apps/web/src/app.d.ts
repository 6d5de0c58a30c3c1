declare global {
  namespace App {
    interface Error {
      /** Id to quote when asking for help; also in the X-Request-Id header. */
      requestId?: string
    }
    interface Locals {
      requestId: string
      /** Brand of the site. */
      brand: import('@augury/platform/themes/site-brand').SiteBrand
      /** Analytics of the visit; null if it is not counted. */
      analytics: import('#lib/shell/analytics.ts').Analytics | null
      look: import('#lib/shell/theme.ts').Look
      locale: import('#lib/language/locale.ts').Locale
      settings: import('@augury/settings/env').WebSettings
      site: import('@augury/platform/site/site').Site
      /** The platform, for what does not depend on a member. */
      platform: import('@augury/platform/site/platform').Platform
      /** Client of the exchange's public routes, with a short timeout. */
      exchange: import('@augury/client/rest').VenueClient
      /** Address of the client, as a key for rate limits. */
      clientAddress: string
      /** The viewer of a page. Routes under /api and /trpc authenticate themselves. */
      viewer: import('@augury/platform/authorization/viewer').Viewer
    }
  }
}

export {}
