import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/**
 * Finds no accessibility violation on the page as it stands. Our pages have no frames, so axe judges them where it looks (its legacy mode)
 * instead of on a page of its own, and tells of violations alone: a third of the time.
 */
export async function expectAccessible(page: Page, what = ''): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    .analyze()
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n')}`),
    what,
  ).toEqual([])
}
