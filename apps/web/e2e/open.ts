import { expect, type Page } from '@playwright/test'

/** Opens a page and waits until it hears what is pressed: one that has just come shows its buttons before they do anything. */
export async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await listens(page)
}

/** Waits until the page that is open hears what is pressed. */
export const listens = (page: Page) => expect(page.locator('html')).toHaveAttribute('data-listens')

/** What the console of a page complains of from now on. `expected` is what the journey itself brings about. */
export function complaintsOf(page: Page, expected?: RegExp): string[] {
  const complaints: string[] = []
  const hear = (text: string) => {
    // A module was on its way when the page was left. A missing one is also reported as a missing resource.
    const isCutOff = text.includes('Failed to fetch dynamically imported module')
    if (!isCutOff && !expected?.test(text)) complaints.push(text)
  }
  page.on('console', (message) => message.type() === 'error' && hear(message.text()))
  page.on('pageerror', (error) => hear(error.message))
  return complaints
}
