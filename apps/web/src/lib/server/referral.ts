import { httpVisit } from '@augury/platform/authorization/visit'
import { markReferral, referralLink } from '@augury/platform/identity/referral-mark'

/**
 * Stores the referral code of a link in a cookie and redirects to the URL without it. A code that is malformed or not a referrer's leaves the
 * cookie of an earlier link as it is, and so does one that cannot be looked up. Null if the request follows no referral link.
 */
export async function followReferral(
  { method, url }: Request,
  { origin, now, isCode }: { origin: string; now: Date; isCode: (code: string) => Promise<boolean> },
): Promise<Response | null> {
  const link = method === 'GET' ? referralLink(new URL(url)) : null
  if (!link) return null
  const visit = httpVisit({ method, header: () => undefined, clientAddress: '' }, origin.startsWith('https:'))
  if (link.code !== null && (await isCode(link.code).catch(() => false))) markReferral(visit, link.code, now)
  const response = new Response(null, { status: 303, headers: { Location: link.to, 'Cache-Control': 'private, no-store' } })
  for (const line of [visit.answerHeaders()['Set-Cookie'] ?? []].flat()) response.headers.append('Set-Cookie', line)
  return response
}
