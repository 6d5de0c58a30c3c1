import { expect, test } from '@playwright/test'
import { becomeMember, becomeMemberByPage, live, ticketOf } from './member.ts'
import { complaintsOf, open } from './open.ts'
import { memberWithShares, writeLimit } from './orders.ts'
import { quietMarket } from './trader.ts'

const HOUR = 3_600_000

test('a device whose clock is wrong signs in and may trade', async ({ page }) => {
  await page.clock.install({ time: Date.now() - HOUR })
  await becomeMemberByPage(page, '/portfolio')
  await expect(page.getByText('This device may not read your cash')).toHaveCount(0)
})

test.describe('far from the server', () => {
  test.use({ timezoneId: 'Asia/Kolkata' })

  test('times of the reader are in their zone, and a page comes alive without a word about it', async ({ page }) => {
    const complaints = complaintsOf(page)
    await memberWithShares(page)
    await open(page, '/portfolio?tab=history')
    const when = page.getByRole('table').locator('td.when time').first()
    await expect(when).toHaveText(/\d\d:\d\d GMT\+5:30$/)
    await expect(when).toHaveAttribute('title', /\d\d:\d\d UTC$/)
    const served = async () => (await page.request.get('/portfolio?tab=history')).text()
    expect(await served()).toMatch(/<time [^>]*>[^<]*\d\d:\d\d GMT\+5:30</)
    await page.context().clearCookies({ name: 'zone' }) // a first visit
    expect(await served()).toMatch(/<time [^>]*>[^<]*\d\d:\d\d UTC</)
    await page.reload()
    await expect(when).toHaveText(/GMT\+5:30$/)
    await open(page, '/portfolio?range=1d')
    await expect(page.getByRole('img', { name: /GMT\+5:30/ })).toBeVisible()
    expect(complaints).toEqual([])
  })
})

test('the second half of a double click says no yes: no break, no order, no withdrawal', async ({ page }) => {
  const market = await quietMarket()
  await becomeMember(page, '/settings/limits')
  await page.getByRole('button', { name: '24 hours' }).dblclick()
  await expect(page.getByText('No orders for 24 hours.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Take a break of 24 hours' })).toBeVisible()

  await open(page, '/money')
  await page.getByLabel('Amount').fill('5')
  await page.getByRole('button', { name: 'Withdraw $5.00' }).dblclick()
  await expect(page.getByText(/^Send \$5\.00 to 0x/)).toBeVisible()
  await expect(page).toHaveURL('/money')

  await open(page, market.path)
  await live(page)
  await writeLimit(page, '30', '1000')
  const ticket = ticketOf(page)
  await ticket.getByRole('button', { name: 'Buy Yes · $300.00' }).dblclick()
  const confirm = ticket.getByRole('button', { name: 'Confirm: Buy Yes · $300.00' })
  await expect(confirm).toBeVisible()
  await expect(ticket.getByRole('status')).toBeEmpty()
  await confirm.click()
  await expect(ticket.getByRole('status')).toContainText('1,000 shares wait in the book at 30¢.')
})

test('a dialog closes by a press beside it where the browser knows no way of its own, and not by one that began in it', async ({
  page,
}) => {
  await page.addInitScript(() => {
    // As a browser that does not know the attribute has it: it stands there and does nothing.
    delete (HTMLDialogElement.prototype as { closedBy?: unknown }).closedBy
    const { setAttribute, getAttribute } = Element.prototype
    Element.prototype.setAttribute = function (name: string, value: string) {
      setAttribute.call(this, name === 'closedby' ? 'data-closedby' : name, value)
    }
    Element.prototype.getAttribute = function (name: string) {
      return getAttribute.call(this, name === 'closedby' ? 'data-closedby' : name)
    }
  })
  await open(page, '/')
  await page.keyboard.press('?')
  const dialog = page.getByRole('dialog', { name: 'Keyboard' })
  await expect(dialog).toBeVisible()
  const { x, y } = (await dialog.boundingBox())!
  await page.mouse.move(x + 40, y + 40)
  await page.mouse.down()
  await page.mouse.move(5, 5)
  await page.mouse.up()
  await expect(dialog).toBeVisible()
  await page.mouse.click(5, 5)
  await expect(dialog).toHaveCount(0)
})

test('what is copied is copied over plain HTTP too', async ({ page }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
  await becomeMember(page, '/settings/profile')
  const copy = page.getByRole('main').getByRole('button', { name: 'Copy your address' })
  await copy.click()
  await expect(page.getByText('Copied').first()).toBeAttached()
  await expect(copy).toBeFocused()
})
