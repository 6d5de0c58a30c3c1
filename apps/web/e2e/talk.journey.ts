import { expect, test } from '@playwright/test'
import { becomeMember } from './member.ts'
import { quietMarket } from './trader.ts'

const comment = (n: number) => ({
  ...{ id: `c${n}`, parent: null, content: `comment ${n}.`, created_at: new Date(0).toISOString(), deleted: false, own: false },
  ...{ user: { address: `0x${'0'.repeat(40)}`, username: null }, likes_count: 0, liked: false, replies_count: 0 },
})
const pageOf = (first: number, count: number) => Array.from({ length: count }, (_, i) => comment(first + i))

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

test('one’s own comment goes only after a question, whose first answer keeps it', async ({ page }) => {
  const { path } = await quietMarket()
  await becomeMember(page, path)
  const said = `I was wrong, ${crypto.randomUUID()}.`
  const talk = page.getByRole('region', { name: 'What others say and do' })
  await talk.scrollIntoViewIfNeeded()
  await page.getByLabel('Say something about this event').fill(said)
  await talk.getByRole('button', { name: 'Post' }).click()
  const comment = talk.getByRole('listitem').filter({ hasText: said })
  const remove = comment.getByRole('button', { name: 'Delete' })
  await remove.press('Enter')
  await expect(comment.getByRole('group', { name: 'Delete your comment for good?' })).toBeVisible()
  await expect(comment.getByRole('button', { name: 'Keep it' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(remove).toBeFocused()
  await expect(comment.getByText(said)).toBeVisible()
  await expect(comment.getByText(said)).toHaveAttribute('dir', 'auto') // in the direction of what is said

  await remove.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(comment).toHaveCount(0)
  await page.reload()
  await talk.scrollIntoViewIfNeeded()
  await expect(talk.getByText('No comments yet.').or(talk.getByRole('listitem').first())).toBeVisible()
  await expect(talk.getByText(said)).toHaveCount(0)
})

test('a very long comment is cut, and shown whole on request', async ({ page }) => {
  const { path } = await quietMarket()
  await becomeMember(page, path)
  const end = `The end, ${crypto.randomUUID()}.`
  const talk = page.getByRole('region', { name: 'What others say and do' })
  await talk.scrollIntoViewIfNeeded()
  await page.getByLabel('Say something about this event').fill(`${'It goes on\nand on.\n'.repeat(20)}${end}`)
  await talk.getByRole('button', { name: 'Post' }).click()
  const comment = talk.getByRole('listitem').filter({ hasText: end })
  const text = comment.getByText(end)
  const height = async () => (await text.boundingBox())!.height
  const cut = await height()
  const more = comment.getByRole('button', { name: 'Show more' })
  await more.press('Enter')
  const less = comment.getByRole('button', { name: 'Show less' })
  await expect(less).toBeFocused()
  expect(await height()).toBeGreaterThan(4 * cut)
  await less.press('Enter')
  expect(await height()).toBe(cut)
  await page.setViewportSize({ width: 360, height: 640 })
  await expect(more).toBeVisible()
})

test('all replies can be read, however many there are', async ({ page }) => {
  const { path } = await quietMarket()
  await page.route('**/trpc/listComments?*', async (route) => {
    const { parent, offset } = JSON.parse(new URL(route.request().url()).searchParams.get('input')!).query
    // One more was said between the two pages.
    const data = parent ? (offset === 0 ? pageOf(1, 50) : pageOf(50, 11)) : [{ ...comment(0), replies_count: 59 }]
    await route.fulfill({ json: { result: { data } } })
  })
  await page.goto(path)
  const talk = page.getByRole('region', { name: 'What others say and do' })
  await talk.scrollIntoViewIfNeeded()
  await talk.getByRole('button', { name: 'Replies: 59' }).press('Enter')
  await expect(talk.getByRole('list').filter({ hasText: 'comment 1.' }).last()).toBeFocused()
  await expect(talk.getByText(/^comment \d+\.$/)).toHaveCount(51)
  await talk.getByRole('button', { name: 'Show more' }).click()
  await expect(talk.getByText(/^comment \d+\.$/)).toHaveCount(61)
  await expect(talk.getByRole('button', { name: 'Show more' })).toHaveCount(0)
})

test('new comments while a visitor reads on show every comment once, and the last choice of an order holds', async ({ page }) => {
  const { path } = await quietMarket()
  await page.route('**/trpc/listComments?*', async (route) => {
    const { sort, offset } = JSON.parse(new URL(route.request().url()).searchParams.get('input')!).query
    // Two were said since the first page was read. The newest come late.
    if (sort === 'newest') await new Promise((resolve) => setTimeout(resolve, 500))
    const data = sort === 'likes' ? pageOf(100, 3) : offset === 0 ? pageOf(0, 20) : pageOf(18, 5)
    await route.fulfill({ json: { result: { data } } }).catch(() => undefined)
  })
  await page.goto(path)
  const talk = page.getByRole('region', { name: 'What others say and do' })
  await talk.scrollIntoViewIfNeeded()
  await talk.getByRole('button', { name: 'Show more' }).click()
  await expect(talk.getByText(/^comment \d+\.$/)).toHaveCount(23)
  await talk.getByRole('button', { name: 'Most liked' }).click()
  await expect(talk.getByText(/^comment \d+\.$/)).toHaveCount(3)
  const late = page.waitForResponse((answer) => answer.url().includes('listComments') && answer.url().includes('newest'))
  await talk.getByRole('button', { name: 'Newest' }).click()
  await talk.getByRole('button', { name: 'Most liked' }).click()
  await (await late).finished()
  await expect(talk.getByText(/^comment \d+\.$/)).toHaveCount(3)

  // The arrows go through what is said, held and done.
  await page.route('**/trpc/eventActivity?*', (route) => route.fulfill({ json: { result: { data: [] } } }))
  await talk.getByRole('tab', { name: 'Comments' }).press('ArrowLeft')
  await expect(talk.getByRole('tab', { name: 'Activity' })).toBeFocused()
  await expect(talk.getByRole('tab', { name: 'Activity' })).toHaveAttribute('aria-selected', 'true')
  await expect(talk.getByText('No trades to show yet.')).toBeVisible() // of any size
})
