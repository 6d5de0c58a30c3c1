import { type APIResponse, expect, test } from '@playwright/test'
import { addressesOf } from '../scripts/axe-addresses.ts'
import { becomeMember } from './member.ts'

/** What a page brings that could run, or paint, without having been let in by its policy. */
async function strangers(answer: APIResponse): Promise<string[]> {
  const html = await answer.text()
  const policy = answer.headers()['content-security-policy'] ?? ''
  const [, nonce] = /script-src [^;]*'nonce-([^']+)'/.exec(policy) ?? []
  const inline = [...html.matchAll(/<(script|style)\b([^>]*)>/g)].filter(
    ([, , attributes]) => !/type="application\/(ld\+)?json"/.test(attributes!),
  )
  return inline
    .filter(([, tag, attributes]) => {
      const own = /nonce="([^"]*)"/.exec(attributes!)?.[1]
      // Rules of style may also be named by their hash.
      return own === undefined ? tag === 'script' || !/style-src [^;]*'sha256-/.test(policy) : own !== nonce
    })
    .map(([text]) => text)
}

async function isCareful(answer: APIResponse): Promise<void> {
  const address = answer.url()
  const headers = answer.headers()
  const policy = headers['content-security-policy'] ?? ''
  expect(policy, address).toMatch(/default-src '(self|none)'/)
  expect(policy, address).toContain("base-uri 'none'")
  expect(policy, address).not.toMatch(/unsafe-inline|unsafe-eval|script-src [^;]*\*/)
  if (policy.includes("default-src 'self'")) expect(policy, address).toContain("object-src 'none'")
  expect(headers, address).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'strict-origin-when-cross-origin' })
  expect(await strangers(answer), address).toEqual([])
}

test('every kind of page names by its policy what it brings, and brings nothing else', async ({ page, request }) => {
  test.setTimeout(300_000)
  for (const address of await addressesOf('visitor', page)) await isCareful(await request.get(address))
})

test('pages of a member are as careful, and no cache keeps them', async ({ page }) => {
  test.setTimeout(300_000)
  await becomeMember(page, '/portfolio')
  for (const address of await addressesOf('member', page)) {
    const answer = await page.request.get(address)
    await isCareful(answer)
    expect([address, answer.headers()['cache-control']]).toEqual([address, 'private, no-store'])
  }
})
