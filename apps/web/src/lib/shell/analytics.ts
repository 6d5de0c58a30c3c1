/** Cookie with the reader's consent to analytics: `yes` or `no`. */
export const CONSENT_COOKIE = 'augury_counted'

/** Analytics of a page: the measurement id, and whether the reader has agreed. */
export interface Analytics {
  id: string
  given: boolean
}

/** Whether a page may have analytics: only those without trading, signing or keys may run third-party scripts. */
export const isCounted = (path: string): boolean => /^\/(docs|changelog|status)(\/|$)/.test(path) && !/^\/docs\/api(\/|$)/.test(path)
