/** What a reader said about being counted: `yes` or `no`. */
export const CONSENT_COOKIE = 'augury_counted'

/** The counting of visits on a page: by which measurement id, and whether its reader agreed already. */
export interface Analytics {
  id: string
  given: boolean
}

/** Pages on which nobody trades, signs or types a key: only there a script of somebody else may run. */
export const isCounted = (path: string): boolean => /^\/(docs|changelog|status)(\/|$)/.test(path) && !/^\/docs\/api(\/|$)/.test(path)
