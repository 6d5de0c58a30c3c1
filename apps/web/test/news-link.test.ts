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
