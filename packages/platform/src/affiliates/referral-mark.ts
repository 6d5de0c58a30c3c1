import type { Visit } from '../identity/visit.ts'

/** Seconds for which a browser is known to have come by somebody's link. */
const REFERRAL_LIFE = 30 * 86_400
/** Seconds by which our own clocks may differ. */
const SKEW = 60

/** Remembers that this browser came by a member's link; a later link takes the place of an earlier one. Nothing is looked up. */
export function markReferral(visit: Visit, code: string, now: Date): void {
  visit.leave('referral', `${code}-${Math.floor(now.getTime() / 1000).toString(36)}`)
}

/** The code that a browser came by within the last 30 days, or null. */
export function markedReferral(visit: Visit, now: Date): string | null {
  const [, code, seconds] = /^([a-z0-9]{6,32})-([0-9a-z]{1,8})$/.exec(visit.cookie('referral') ?? '') ?? []
  if (!code || !seconds) return null
  const age = now.getTime() / 1000 - Number.parseInt(seconds, 36)
  return age >= -SKEW && age <= REFERRAL_LIFE ? code : null
}

/**
 * The code in an address, and where whoever follows it should arrive: `/r/{code}?to=…`, or `?r={code}` on any page. Null where there is
 * none. `to` never leads to another site.
 */
export function referralLink(url: URL): { code: string; to: string } | null {
  const [, inPath] = /^\/r\/([^/]+)\/?$/.exec(url.pathname) ?? []
  const code = (inPath ?? url.searchParams.get('r'))?.toLowerCase()
  if (code === undefined || !/^[a-z0-9]{6,32}$/.test(code)) return null
  if (inPath !== undefined) return { code, to: ownPath(url.searchParams.get('to') ?? '/', url.origin) }
  const rest = new URLSearchParams(url.searchParams)
  rest.delete('r')
  const query = rest.toString()
  return { code, to: `${ownPath(url.pathname, url.origin)}${query && `?${query}`}` }
}

/** A path of this site; the front page for anything that leads elsewhere. */
function ownPath(path: string, origin: string): string {
  const found = /^\/(?![/\\])/.test(path) ? URL.parse(path, origin) : null
  return found && found.origin === origin && !found.pathname.startsWith('//') ? `${found.pathname}${found.search}` : '/'
}
