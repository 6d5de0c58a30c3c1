import { expect, type Page } from '@playwright/test'
import { listens, open } from './open.ts'
import { workerIndex } from './worker.ts'

let members = 0
/** Of documentation alone (RFC 5737): one for each worker of Playwright. */
const networks = ['198.51.100', '192.0.2']

/**
 * A visitor becomes a member by the sandbox wallet, with trading enabled and play money; ends on `path`. Each comes from an address of
 * their own, where the site believes this machine: from one address, so many in a minute would be refused. `origin`: of another site.
 */
export async function becomeMember(page: Page, path: string, origin = ''): Promise<void> {
  const network = networks[workerIndex() % networks.length]
  await page.context().setExtraHTTPHeaders({ 'x-forwarded-for': `${network}.${++members % 255}` })
  await open(page, `${origin}/login?next=${encodeURIComponent(path)}`)
  await page.getByRole('button', { name: /^Sandbox wallet/ }).click()
  // Wallet, key and play money: several answers, one after the other.
  await expect(page).toHaveURL((url) => url.pathname + url.search === path, { timeout: 30_000 })
  await expect(page.getByRole('button', { name: /^Account of/ })).toBeVisible()
  await listens(page)
}

/** Waits until the page follows the exchange: before, a preview has no book. */
export const live = (page: Page) => expect(page.locator('[data-live]')).toHaveAttribute('data-live', 'live')

/** The order ticket beside the page. */
export const ticketOf = (page: Page) => page.getByRole('form', { name: 'Order ticket' }).first()
