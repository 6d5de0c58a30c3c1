import { beforeAll, expect, test } from 'vitest'
import type { Viewer } from '../src/authorization/viewer.ts'
import { invalidate } from '../src/cache/generations.ts'
import { pinnedEvents } from '../src/events/pinned-events.ts'
import { discoveryEvent, openEvents, testPlatform } from './test-platform.ts'

const { platform } = await testPlatform()
const reader = { kind: 'anonymous' } as Viewer
const first = async (locale?: string) => (await pinnedEvents(platform, reader, { locale })).map(({ slug, title }) => [slug, title])
let versions = 0
const pin = async (...pinned: string[]) => {
  await platform
    .em()
    .execute(`insert into settings_version (group_name, number, values, created_at) values ('home', ?, ?, now())`, [
      ++versions,
      JSON.stringify({ pinned }),
    ])
  await invalidate(platform.em(), ['lists'])
}

beforeAll(async () => {
  await openEvents(
    platform,
    ['rain', 'snow', 'hail'].map((slug) => discoveryEvent(slug, `Will it ${slug}?`, ['weather'], [{ slug: `${slug}-1` }])),
  )
})

test('nothing is pinned by default', async () => {
  expect(await first()).toEqual([])
})

test('pinned events come first, in order, except hidden and ended ones', async () => {
  await pin('snow', 'rain', 'hail')
  const titles = { rain: 'Will it rain?', snow: 'Will it snow?', hail: 'Will it hail?' }
  await expect.poll(() => first()).toEqual(['snow', 'rain', 'hail'].map((slug) => [slug, titles[slug as 'rain']]))
  await platform.em().execute(`update event set hidden_at = now() where slug = 'snow'`)
  await platform.em().execute(`update event set status = 'archived' where slug = 'rain'`)
  await pin('snow', 'rain', 'hail')
  await expect.poll(() => first()).toEqual([['hail', titles.hail]])
})
