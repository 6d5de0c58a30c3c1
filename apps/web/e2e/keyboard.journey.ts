import { expect, type Locator, type Page, test } from '@playwright/test'
import { becomeMember, live, ticketOf } from './member.ts'
import { open } from './open.ts'
import { resolveYes } from './operator.ts'
import { buy, leaveOrder, memberWithShares } from './orders.ts'
import { quietMarket } from './trader.ts'

/** Goes on by Tab, or back, until an element has the focus. */
async function tabTo(page: Page, goal: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await expect(goal).toBeVisible()
  for (let n = 0; n < 120; n++) {
    if (await goal.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press(key)
  }
  await expect(goal).toBeFocused()
}

test('winnings are claimed by keys alone, and the focus is on what became of it', async ({ page }) => {
  test.slow()
  await resolveYes(await memberWithShares(page, { alone: true }))
  await open(page, '/portfolio')
  await tabTo(page, page.getByRole('button', { name: 'Claim all' }))
  await page.keyboard.press('Enter')
  const told = page.getByRole('status').filter({ hasText: '$25.00 is yours' })
  await expect(told).toBeFocused()
})

test('shares are split, merged and converted by keys alone; the focus comes back to the position, and to the list when it is gone', async ({
  page,
}) => {
  test.slow()
  const market = await quietMarket({ inEvent: true })
  await becomeMember(page, market.path)
  await buy(page, market, 'No')
  await open(page, '/portfolio')
  const rows = page.getByRole('region', { name: 'Positions' }).getByRole('row')
  const no = rows.filter({ has: page.getByText('No', { exact: true }) })
  const dialog = page.getByRole('dialog')
  const amount = dialog.getByRole('textbox')

  // What a position of an event offers first is to convert it; the menu and the dialog have the rest.
  const change = no.getByRole('button', { name: /^More for No, / })
  const choose = async (name: string) => {
    await page.keyboard.press('Enter')
    const act = page.getByRole('button', { name, exact: true })
    await tabTo(page, act)
    await page.keyboard.press('Enter')
    await expect(amount).toBeFocused()
  }
  await tabTo(page, change)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Convert', exact: true })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(change).toBeFocused()
  await choose('Convert')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(change).toBeFocused()

  // Opened again before the browser has told of the close, it stays.
  await choose('Convert')
  await change.evaluate((button: HTMLElement) => {
    const dialog = document.querySelector('dialog[open]') as HTMLDialogElement
    dialog.close = async () => {
      HTMLDialogElement.prototype.close.call(dialog)
      for (let n = 0; n < 20; n++) await null // what Svelte does, but nothing of the browser
      button.click()
      for (let n = 0; n < 20; n++) await null
      ;[...document.querySelectorAll<HTMLElement>('[popover] button')].find(({ textContent }) => textContent?.trim() === 'Convert')?.click()
    }
  })
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(1)
  await expect(amount).toBeFocused()
  await tabTo(page, dialog.getByRole('button', { name: 'Split' }), 'Shift+Tab')
  await page.keyboard.press('Enter')
  await tabTo(page, amount)
  await page.keyboard.type('5')
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(no).toContainText('30')
  await expect(rows.filter({ has: page.getByText('Yes', { exact: true }) })).toContainText('5')
  await expect(change).toBeFocused()

  await choose('Merge')
  await page.keyboard.type('5')
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(no).toContainText('25')
  await expect(change).toBeFocused()

  await choose('Convert')
  await page.keyboard.type('25')
  await expect(dialog.getByText('You give')).toBeVisible()
  await expect(dialog.getByText('You get')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('button', { name: 'Keep my shares' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(no).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Positions' })).toBeFocused()
})

test('an order is sent by its button, which keeps the focus', async ({ page }) => {
  const market = await quietMarket()
  await becomeMember(page, market.path)
  await live(page)
  const ticket = ticketOf(page)
  await ticket.getByLabel('Order type').selectOption('limit GTC')
  await ticket.getByLabel('Limit price').fill('5')
  await ticket.getByLabel('Shares', { exact: true }).fill('10')
  await ticket.getByRole('button', { name: /^Buy Yes/ }).press('Enter')
  await expect(ticket.getByRole('status')).toContainText('10 shares wait in the book')
  const button = ticket.getByRole('button', { name: 'Enter shares', exact: true })
  await expect(button).toBeFocused()
  await expect(button).toBeDisabled()
})

test('keys choose and type the amount without moving the focus, and Escape leaves the ticket', async ({ page }) => {
  await open(page, '/event/gta-vi-released-before-june-2026')
  await live(page)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to the order ticket' })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  const ticket = ticketOf(page)
  await expect(ticket.getByRole('button', { name: 'Buy', exact: true })).toBeFocused()
  await expect(ticket.getByRole('heading', { name: /^Order ticket/ })).toBeVisible()
  await page.evaluate(() => (document.activeElement as HTMLElement).blur())

  const amount = ticket.locator('[data-quantity]')
  const focused = () => page.evaluate(() => document.activeElement?.tagName)
  for (const key of ['b', 'n', '2', '5', '.', '5', '0', 'Backspace']) await page.keyboard.press(key)
  await expect(amount).toHaveValue('25.5')
  await expect(ticket.getByRole('button', { name: /^No / })).toHaveAttribute('aria-pressed', 'true')
  expect(await focused()).toBe('BODY')
  await page.keyboard.press('Escape')
  await page.keyboard.press('7')
  await expect(amount).toHaveValue('25.5')
  // A limit has the price of its side.
  await page.keyboard.press('l')
  const before = await ticket.getByLabel('Limit price').inputValue()
  await page.keyboard.press('s')
  await expect(ticket.getByLabel('Limit price')).not.toHaveValue(before)
  await page.keyboard.press('8')
  await expect(amount).toHaveValue('8')
  expect(await focused()).toBe('BODY')
  await page.keyboard.press('Enter')
  await expect(ticket.locator('button[type="submit"]')).toBeFocused()
})

test('nothing that has the focus lies below the bars of a phone, or of a page at 400 %', async ({ page }) => {
  for (const size of [
    { width: 360, height: 640 },
    { width: 320, height: 256 },
  ]) {
    await page.setViewportSize(size)
    await open(page, (await quietMarket()).path)
    for (let n = 0; n < 50; n++) {
      await page.keyboard.press('Tab')
      const bar = await page.evaluate(() => {
        const bars = 'header, nav, .bar'
        const focused = document.activeElement!
        const { left, top, width, height } = focused.getBoundingClientRect()
        const seen = document.elementFromPoint(left + width / 2, top + height / 2)
        return focused.closest(bars) ? null : (seen?.closest(bars)?.className ?? null)
      })
      expect(bar, `${n}`).toBeNull()
    }
  }
})

test('the focus goes to the list when the row that has it goes by itself', async ({ page, context }) => {
  test.slow()
  const market = await quietMarket({ inEvent: true })
  await becomeMember(page, market.path)
  await buy(page, market, 'No')
  await open(page, '/portfolio')
  const positions = page.getByRole('region', { name: 'Positions' })
  await tabTo(page, positions.getByRole('link', { name: 'Sell' }))

  const other = await context.newPage()
  await open(other, '/portfolio')
  await other.getByRole('button', { name: /^More for No, / }).click()
  await other.getByRole('button', { name: 'Convert', exact: true }).click()
  const dialog = other.getByRole('dialog')
  await dialog.getByRole('textbox').fill('25')
  await dialog.getByRole('button', { name: 'Convert', exact: true }).last().click()
  await dialog
    .getByRole('group', { name: /^Convert 25 shares/ })
    .getByRole('button', { name: 'Convert', exact: true })
    .click()
  await expect(dialog).toHaveCount(0)

  // The member looks at the first page again.
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect(positions.getByText('No', { exact: true })).toHaveCount(0)
  await expect(positions).toBeFocused()
})

test('all orders are cancelled by keys alone, after the question was answered', async ({ page }) => {
  const market = await quietMarket()
  await becomeMember(page, market.path)
  await live(page)
  for (const price of ['5', '6']) await leaveOrder(page, price)
  await open(page, '/portfolio?tab=orders')
  const all = page.getByRole('button', { name: 'Cancel all (2)' })
  await tabTo(page, all)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Keep them' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(all).toBeFocused()
  await page.keyboard.press('Enter')
  await tabTo(page, all)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status').filter({ hasText: '2 of 2 cancelled.' })).toBeVisible()
  await expect(page.getByText('No open orders.')).toBeVisible()
})
