import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newsLink } from '../src/lib/news/news-link.ts'

test.each([
  ['none', '', '', null],
  ['event', 'gta-vi', '', '/event/gta-vi'],
  ['market', 'gta-vi/before-june', '', '/event/gta-vi/before-june'],
  ['event', '', '', null],
  ['order', '7', '', '/portfolio?tab=orders'],
  ['settings', 'security', '', '/settings/security'],
  ['settings', '', '', '/settings'],
  ['profile', 'ada', '', '/u/ada'],
  ['external', '', 'https://docs.example/x', 'https://docs.example/x'],
  ['external', '', 'javascript:alert(1)', null],
  ['external', '', 'http://docs.example', null],
] as const)('a notification about %s %s %s leads to %s', (link_type, link_target, link_url, href) => {
  expect(newsLink({ link_type, link_target, link_url })).toBe(href)
})

const root = join(import.meta.dirname, '../../..')
const found = globSync('packages/platform/src/**/*.ts', { cwd: root }).flatMap((file) =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/link(?::| =) \{ type: '(settings|profile)', target: '([\w-]+)' \}/g)].map(
    ([, type, target]) => [type as 'settings' | 'profile', target!] as const,
  ),
)

const links = [...new Map(found.map((link) => [link.join(), link])).values()]

test('notifications link to the member’s own pages', () => expect(links.length).toBeGreaterThan(4))

test.each(links)('a notification about %s %s leads to an existing page, and not to another member’s', (link_type, link_target) => {
  const [path] = newsLink({ link_type, link_target, link_url: '' })!.split(/[?#]/)
  expect(path).not.toMatch(/^\/u\//)
  const page = (file: string) => existsSync(join(root, 'apps/web/src/routes', path!, file))
  expect([path, page('+page.svelte') || page('+page.server.ts')]).toEqual([path, true])
})
