import { enableTrading } from '@augury/client/enable-trading'
import { platformClient } from '@augury/client/platform'
import { venueClient } from '@augury/client/rest'
import { signIn } from '@augury/client/sign-in'
import { webSettings } from '@augury/settings/env'
import type { Hex } from '@augury/wire/scalars'
import { type BrowserContext, expect, type Page } from '@playwright/test'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { listens, open } from './open.ts'
import { workerIndex } from './worker.ts'

let members = 0
/** Of documentation alone (RFC 5737): one for each worker of Playwright. */
const networks = ['198.51.100', '192.0.2']
/** Key of the sandbox wallet that a browser was given. */
const keys = new WeakMap<BrowserContext, Hex>()

/**
 * Makes the visitor a member with a sandbox wallet, trading enabled and play money, and opens `path`. `origin`: of another site. Signs in by
 * requests, which takes a third of the time of the login page.
 */
export async function becomeMember(page: Page, path: string, origin = webSettings().origin): Promise<void> {
  const context = page.context()
  await takeAddress(context)
  const fetch = requestsOf(context, origin)
  const wallet = privateKeyToAccount(await sandboxKey(context))
  await signIn({ url: origin, wallet, chainId: webSettings().chainId, fetch })
  await enableTrading({ site: platformClient({ url: origin, fetch }), wallet })
  await venueClient({ url: webSettings().clobUrl }).faucet({ body: { address: wallet.address, amount: '1000' } })
  await open(page, `${origin}${path}`)
  await expect(page.getByRole('button', { name: /^Account of/ })).toBeVisible()
}

/** The same through the login page, with everything that its scripts do. */
export async function becomeMemberByPage(page: Page, path: string): Promise<void> {
  await takeAddress(page.context())
  await open(page, `/login?next=${encodeURIComponent(path)}`)
  await page.getByRole('button', { name: /^Sandbox wallet/ }).click()
  // Wallet, key and play money: several answers, one after the other.
  await expect(page).toHaveURL((url) => url.pathname + url.search === path, { timeout: 30_000 })
  await expect(page.getByRole('button', { name: /^Account of/ })).toBeVisible()
  await listens(page)
}

/**
 * Gives the visitor an IP address of their own, where the site believes this machine: from one address, so many new members in a minute
 * would be refused.
 */
const takeAddress = (context: BrowserContext) =>
  context.setExtraHTTPHeaders({ 'x-forwarded-for': `${networks[workerIndex() % networks.length]}.${++members % 255}` })

/** Key of a browser's sandbox wallet, in its storage before any script of a page reads it. */
async function sandboxKey(context: BrowserContext): Promise<Hex> {
  const known = keys.get(context)
  if (known) return known
  const key = generatePrivateKey()
  keys.set(context, key)
  await context.addInitScript((value) => {
    const given = `journey.${value}`
    if (localStorage.getItem(given) !== null) return // what a journey takes away does not come again
    localStorage.setItem(given, '')
    localStorage.setItem('augury.sandbox-wallet', value)
  }, key)
  return key
}

/** Takes the sandbox wallet out of a browser: its next member is another one. */
export async function forgetWallet(page: Page): Promise<void> {
  keys.delete(page.context())
  await page.evaluate(() => localStorage.removeItem('augury.sandbox-wallet'))
}

/** Requests with the cookies and address of a browser, as from a page of the site. */
const requestsOf =
  (context: BrowserContext, origin: string) =>
  async (url: string, { method = 'GET', headers, body }: RequestInit): Promise<Response> => {
    const data = body === null || body === undefined ? {} : { data: String(body) }
    const sent = { ...Object.fromEntries(new Headers(headers)), origin }
    const answer = await context.request.fetch(url, { method, headers: sent, ...data })
    const { 'set-cookie': _, ...rest } = answer.headers() // the browser keeps cookies itself; here they are several in one text
    const text = answer.status() === 204 ? null : await answer.text()
    return new Response(text, { status: answer.status(), headers: rest })
  }

/** Waits until the page follows the exchange: before, a preview has no book. */
export const live = (page: Page) => expect(page.locator('[data-live]')).toHaveAttribute('data-live', 'live')

/** The order ticket beside the page. */
export const ticketOf = (page: Page) => page.getByRole('form', { name: 'Order ticket' }).first()
