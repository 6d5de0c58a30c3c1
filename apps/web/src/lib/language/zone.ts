/** Cookie with the time zone of the reader's browser. */
export const ZONE_COOKIE = 'zone'

/** The zone of what is the same for everybody, and of a page whose reader's zone is not known yet. */
export const UTC = 'UTC'

/** Parses a time zone of a cookie; null if there is none of that name. */
export function readZone(value: unknown): string | null {
  if (typeof value !== 'string' || !/^[\w+/-]{1,64}$/.test(value)) return null
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone
  } catch {
    return null
  }
}

let current = () => UTC

/** Returns the zone in which times are written: that of the request in the server, that of the page in a browser. */
export const getZone = (): string => current()

/** Sets where `getZone` reads it. */
export function overwriteGetZone(read: () => string): void {
  current = read
}
