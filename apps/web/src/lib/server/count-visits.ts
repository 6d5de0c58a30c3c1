import { type Analytics, isCounted } from '#lib/shell/analytics.ts'

/** A page that is asked for, and what its reader said of being counted. */
export interface CountedPage {
  /** Measurement id of the settings; empty where nothing is counted. */
  id: string
  mode: 'sandbox' | 'production'
  path: string
  headers: Headers
  consent: string | undefined
}

/** How visits of a page are counted: not at all unless the operator, the page and the reader let it. */
export function analyticsOf({ id, mode, path, headers, consent }: CountedPage): Analytics | null {
  const refused = consent === 'no' || headers.get('dnt') === '1' || headers.get('sec-gpc') === '1'
  return id === '' || mode === 'sandbox' || refused || !isCounted(path) ? null : { id, given: consent === 'yes' }
}

const SCRIPTS = 'https://www.googletagmanager.com'
const REPORTS = 'https://*.google-analytics.com https://*.analytics.google.com'

/** Lets the script that counts into the policy of a page whose reader agreed, and of no other. */
export function allowAnalytics(policy: string, analytics: Analytics | null): string {
  if (!analytics?.given) return policy
  return policy
    .replace("script-src 'self'", `script-src 'self' ${SCRIPTS}`)
    .replace("connect-src 'self'", `connect-src 'self' ${SCRIPTS} ${REPORTS}`)
    .replace("img-src 'self'", `img-src 'self' ${SCRIPTS} ${REPORTS}`)
}
