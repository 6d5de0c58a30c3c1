import { openPlatform } from '@augury/platform/site/platform'
import { webSettings } from '@augury/settings/env'
import type { Page } from '@playwright/test'

/** Presses a button by its whole name. */
export const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

/** Whether a wallet is an admin's, as another admin would decide it. */
async function setAdmin(address: string, is: boolean): Promise<void> {
  const platform = await openPlatform(webSettings().databaseUrl)
  try {
    const sql = is ? 'insert into admin_wallet (address, created_at) values (?, now())' : 'delete from admin_wallet where address = ?'
    await platform.em().execute(sql, [address.toLowerCase()])
  } finally {
    await platform.close()
  }
}

/** Has the member of a page be an admin for as long as something is done. */
export async function whileAdmin(page: Page, work: () => Promise<void>): Promise<void> {
  const { address } = await (await page.request.get('/api/auth/session')).json()
  await setAdmin(address, true)
  try {
    await work()
  } finally {
    await setAdmin(address, false)
  }
}
