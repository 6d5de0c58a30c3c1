import { takeFromFaucet } from '@augury/platform/portfolio/faucet'
import { expect, test, vi } from 'vitest'
import { memberOn } from './as-member.ts'
import { Browser, walletOf } from './browser.ts'
import { tradingSite } from './exchange.ts'

const at = await tradingSite()

test("play money is requested with the member's key, as all members share one address", async () => {
  const anybody = vi.spyOn(at.site.exchange.anybody, 'faucet')
  const browser = new Browser(at)
  await browser.signIn(walletOf(18_100))
  const member = await memberOn(at, browser)
  const site = { ...at.site, settings: { ...at.site.settings, mode: 'sandbox' as const } }
  expect(await takeFromFaucet(site, member, { body: { amount: '5' } })).toEqual({ arrived: true, transaction_hash: null })
  expect(anybody).not.toHaveBeenCalled()
})
