/** Precision of the server's times, in milliseconds. */
const SECOND = 1_000

/** Milliseconds by which the server's clock is ahead of this device's; null while unknown. */
let ahead: number | null = null

/** The server's time in Unix milliseconds; the device's while the offset is unknown. */
export const siteNow = (): number => Date.now() + (ahead ?? 0)

/**
 * Corrects the offset by the server time `made` of something that has arrived. It may have been delayed, so it only shows that it is now no
 * earlier than `made`. For an answer, `asked` (`siteNow()` before the request) shows as well that it was then no later than `made`. One that
 * names no time shows nothing.
 */
export function syncSiteClock(made: number, asked?: number): void {
  if (Number.isNaN(made)) return
  if (ahead === null || made > siteNow()) ahead = made - Date.now()
  else if (asked !== undefined && made + SECOND < asked) ahead += made + SECOND - asked
}
