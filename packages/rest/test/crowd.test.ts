import { admission } from '@augury/platform/identity/admission'
import { budgetsOfAddress, type WebBudgetName, webBudgets } from '@augury/wire/platform/budgets'
import { expect, test } from 'vitest'
import { Browser, walletOf } from './browser.ts'
import { testSite } from './test-site.ts'

const at = await testSite({}, 1)
const cookies: string[] = []
for (let n = 0; n < 7; n++) {
  const browser = new Browser(at)
  await browser.signIn(walletOf(18_000 + n))
  cookies.push([...browser.jar].map(([name, value]) => `${name}=${value}`).join('; '))
}

/** Has each member make as many calls as a budget allows, and returns how many were admitted. */
async function letIn(members: readonly string[], budget: WebBudgetName, clientAddress: string): Promise<number> {
  const calls = members.flatMap((cookie) => Array.from({ length: webBudgets[budget].limit }, () => cookie))
  const answers = await Promise.allSettled(
    calls.map((cookie) => {
      const headers: Record<string, string> = { cookie, origin: 'https://site.test' }
      const header = (name: string) => headers[name]
      return admission(at.site, { method: 'POST', header, clientAddress }).admit({ auth: 'member', budget })
    }),
  )
  for (const answer of answers) if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ code: 'rate_limited' })
  return answers.filter(({ status }) => status === 'fulfilled').length
}

test.each(Object.entries(budgetsOfAddress) as [WebBudgetName, WebBudgetName][])(
  'members at one address share a budget for %s, and a member at another address keeps their own',
  async (budget, shared) => {
    expect(await letIn(cookies.slice(1), budget, '192.0.2.7')).toBe(webBudgets[shared].limit)
    expect(await letIn(cookies.slice(0, 1), budget, '192.0.2.8')).toBe(webBudgets[budget].limit)
  },
)
