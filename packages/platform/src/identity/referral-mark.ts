import type { Visit } from '../authorization/visit.ts'

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
 * The referral code in a URL, and the path to redirect to: from `/r/{code}?to=…`, or `?r={code}` on any page. Null when the URL is no referral
 * link. A link under `/r` always leads on: `code` is null where it is malformed. `to` never leads to another site.
 */
export function referralLink(url: URL): { code: string | null; to: string } | null {
  const [link, inPath = ''] = /^\/r(?:\/(.*))?$/.exec(url.pathname) ?? []
  const code = readCode(link === undefined ? (url.searchParams.get('r') ?? '') : inPath.replace(/\/$/, ''))
  if (link !== undefined) return { code, to: ownPath(url.searchParams.get('to') ?? '/', url.origin) }
  if (code === null) return null
  const rest = new URLSearchParams(url.searchParams)
  rest.delete('r')
  const query = rest.toString()
  return { code, to: `${ownPath(url.pathname, url.origin)}${query && `?${query}`}` }
}

/** A code as links have it, in any case and with the spaces that pasting adds; null for anything else. */
function readCode(text: string): string | null {
  const code = text.replace(/^(%20|\s)+|(%20|\s)+$/g, '').toLowerCase()
  return /^[a-z0-9]{6,32}$/.test(code) ? code : null
}

/** A path of this site; the front page for anything that leads elsewhere. */
function ownPath(path: string, origin: string): string {
  const found = /^\/(?![/\\])/.test(path) ? URL.parse(path, origin) : null
  return found && found.origin === origin && !found.pathname.startsWith('//') ? `${found.pathname}${found.search}` : '/'
}
