import { type Analytics, isCounted } from '#lib/shell/analytics.ts'

/** A requested page and its reader's consent to analytics. */
export interface CountedPage {
  /** Measurement id of the settings; empty if analytics are off. */
  id: string
  mode: 'sandbox' | 'production'
  path: string
  headers: Headers
  consent: string | undefined
}

/** Analytics of a page; null unless the operator, the page and the reader allow them. */
export function analyticsOf({ id, mode, path, headers, consent }: CountedPage): Analytics | null {
  const refused = consent === 'no' || headers.get('dnt') === '1' || headers.get('sec-gpc') === '1'
  return id === '' || mode === 'sandbox' || refused || !isCounted(path) ? null : { id, given: consent === 'yes' }
}

const SCRIPTS = 'https://www.googletagmanager.com'
const REPORTS = 'https://*.google-analytics.com https://*.analytics.google.com'

/** Allows the analytics script in the content security policy of a page whose reader agreed. */
export function allowAnalytics(policy: string, analytics: Analytics | null): string {
  if (!analytics?.given) return policy
  return policy
    .replace("script-src 'self'", `script-src 'self' ${SCRIPTS}`)
    .replace("connect-src 'self'", `connect-src 'self' ${SCRIPTS} ${REPORTS}`)
    .replace("img-src 'self'", `img-src 'self' ${SCRIPTS} ${REPORTS}`)
}
