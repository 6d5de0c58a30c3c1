import { expect, test } from '@playwright/test'
import { becomeMember } from './member.ts'
import { quietMarket } from './trader.ts'

test('a comment whose button is pressed again before the answer is said once', async ({ page }) => {
  const { path } = await quietMarket()
  await becomeMember(page, path)
  const said = `I saw it first, ${crypto.randomUUID()}.`
  await page.getByRole('region', { name: 'What others say and do' }).scrollIntoViewIfNeeded()
  const field = page.getByLabel('Say something about this event')
  await field.fill(said)
  let sent = 0
  await page.route('**/trpc/addComment', async (route) => {
    sent++
    await route.continue()
  })
  // Both presses of a quick finger, before the button can be drawn as one that waits.
  await field.evaluate((area: HTMLTextAreaElement) => {
    area.form!.requestSubmit()
    area.form!.requestSubmit()
  })
  await expect(field).toHaveValue('')
  await page.reload()
  await page.getByRole('region', { name: 'What others say and do' }).scrollIntoViewIfNeeded()
  await expect(page.getByText(said)).toHaveCount(1)
  expect(sent).toBe(1)
})
