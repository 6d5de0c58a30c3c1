import { markReferral, referralLink } from '@augury/platform/affiliates/referral-mark'
import { httpVisit } from '@augury/platform/identity/visit'

/**
 * Remembers by whose link a browser came, and sends it on to where the link leads, without the code. Null where the address holds none.
 * Nothing is looked up: whose code it is turns out when somebody joins.
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
