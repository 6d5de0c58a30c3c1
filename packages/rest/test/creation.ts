import { conditionId, negRiskMarketId, questionId } from '@augury/signing/ids'
import type { ConditionRequest } from '@augury/wire/condition-request'
import type { DraftContent } from '@augury/wire/platform/draft'
import { expect } from 'vitest'
import { platformApp } from '../src/platform.ts'
import { Browser, walletOf } from './browser.ts'
import { testSite } from './test-site.ts'

type Failure = 'before' | 'after'

export const RULES =
  'This resolves to Yes if the station of the city reports more than 1 mm of rain on that day, by its own page, at 12:00 UTC.'
export const END = '2026-12-24T12:00:00Z'
export const content = (slug: string, more: Partial<DraftContent> = {}) => ({
  title: `Will it rain in ${slug}?`,
  slug,
  end_date: END,
  tags: ['weather'],
  question: `Rain in ${slug}?`,
  rules: RULES,
  ...more,
})
export const three = (slug: string, mode: 'several' | 'exclusive') =>
  content(slug, { mode, options: ['Rome', 'Oslo', 'Bern'].map((city) => ({ question: `Rain in ${city}?`, short_title: city, slug: '' })) })

/** A site of its own with an admin who makes events, and an exchange that stores their markets. */
export async function creationSite() {
  const at = await testSite({ adminWallets: [walletOf(6000).address.toLowerCase() as `0x${string}`] })
  const own = at.site.exchange.operatorAddress
  /** An exchange that fails registrations as told: before it stores the market, or after, when only the response is lost. */
  const there = new Map<string, ConditionRequest>()
  const failures: (Failure | undefined)[] = []
  const registerCondition = async ({ body }: { body: ConditionRequest }) => {
    const failure = failures.shift()
    if (failure === 'before') throw new Error('killed before')
    const known = there.get(body.question_slug)
    if (known && JSON.stringify(known) !== JSON.stringify(body)) throw new Error('registered with other content')
    there.set(body.question_slug, body)
    if (failure === 'after') throw new Error('killed after')
    const question = questionId(own, body.question_slug)
    const event = body.neg_risk_event
    const neg_risk_market_id = event ? negRiskMarketId(own, event.slug) : null
    return { condition_id: conditionId(own, question), question_id: question, neg_risk_market_id, tokens: [] }
  }
  const operator = async () => ({ address: own, exchange: { registerCondition } as never })
  const site = { ...at.site, exchange: { ...at.site.exchange, operator } }
  const app = platformApp({ site, onBug: (error) => void at.bugs.push(error) })
  const admin = new Browser({ ...at, app })
  await admin.signIn(walletOf(6000))
  await admin.post('/admin/api/categories', { name: 'Weather', slug: 'weather', is_main_category: true })
  return {
    at,
    own,
    there,
    operator,
    site,
    app,
    admin,
    add: async (body: unknown) => (await admin.post('/admin/api/drafts', { content: body })).body.data,
    publish: (id: string) => admin.post(`/admin/api/drafts/${id}/publish`),
    check: async (id: string) => (await admin.post(`/admin/api/drafts/${id}/check`)).body.data,
    /** Makes a call that has to fail: registrations fail as told, one after the other. */
    async failing(call: () => Promise<{ status: number }>, ...told: (Failure | undefined)[]): Promise<void> {
      failures.push(...told)
      const bugs = at.bugs.length
      expect((await call()).status).toBe(500)
      at.bugs.length = bugs
      failures.length = 0
    },
  }
}
