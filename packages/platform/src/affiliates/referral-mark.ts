import type { Visit } from '../identity/visit.ts'

/** Seconds for which a browser remembers the link it came by. */
const REFERRAL_LIFE = 30 * 86_400
/** Seconds by which the clocks of our servers may differ. */
const SKEW = 60

/** Remembers in a cookie that this browser came by a member's link; a later link replaces an earlier one. The caller checks the code. */
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
 * The referral code in a URL, and the path to redirect to: from `/r/{code}?to=…`, or `?r={code}` on any page. Null when there is none. `to`
 * never leads to another site.
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
