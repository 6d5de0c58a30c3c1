/** What a moment that names seconds leaves open. */
const SECOND = 1_000

/** By how much the site's clock is ahead of this device's, which may be wrong by any time; null until the site has told. */
let ahead: number | null = null

/** What time it is by the site's clock, in Unix milliseconds; by the device's until the site has told. */
export const siteNow = (): number => Date.now() + (ahead ?? 0)

/**
 * Hears when something that is here now was made. It may have waited to be shown, so only that it is not earlier is sure; of what was asked for,
 * also that it is no later than then: `asked` is when that was, by the site's clock as it was known.
 */
export function hearSiteClock(made: number, asked?: number): void {
  if (ahead === null || made > siteNow()) ahead = made - Date.now()
  else if (asked !== undefined && made + SECOND < asked) ahead += made + SECOND - asked
}
