import { markReferral, referralLink } from '@augury/platform/affiliates/referral-mark'
import { httpVisit } from '@augury/platform/identity/visit'

/**
 * Stores the referral code of a link in a cookie and redirects to the URL without it. Null if there is no code. The code is not looked up until
 * somebody joins.
 */
export function followReferral({ method, url }: Request, origin: string, now: Date): Response | null {
  const link = method === 'GET' ? referralLink(new URL(url)) : null
  if (!link) return null
  const visit = httpVisit({ method, header: () => undefined, clientAddress: '' }, origin.startsWith('https:'))
  markReferral(visit, link.code, now)
  const response = new Response(null, { status: 303, headers: { Location: link.to, 'Cache-Control': 'private, no-store' } })
  for (const line of [visit.answerHeaders()['Set-Cookie'] ?? []].flat()) response.headers.append('Set-Cookie', line)
  return response
}
