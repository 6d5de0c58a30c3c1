import { beforeAll, expect, test } from 'vitest'
import { keptEvents } from '../src/events/kept-events.ts'
import { discoveryEvent, openEvents, testPlatform } from './test-platform.ts'

const { platform } = await testPlatform()
const ids = new Map<string, string>()

beforeAll(async () => {
  await openEvents(platform, [
    discoveryEvent('first', 'The first', ['sports'], [{ slug: 'first-1' }]),
    discoveryEvent('second', 'The second', ['sports'], [{ slug: 'second-1' }]),
    discoveryEvent('draft', 'The draft', ['sports'], [{ slug: 'draft-1' }]),
    discoveryEvent('hidden', 'The hidden', ['sports'], [{ slug: 'hidden-1' }]),
    discoveryEvent('withheld', 'The withheld', ['sports', 'secrets'], [{ slug: 'withheld-1' }]),
  ])
  await platform.em().execute(`update event set status = 'draft' where slug = 'draft'`)
  await platform.em().execute(`update event set hidden_at = now() where slug = 'hidden'`)
  await platform.em().execute(`update tag set hide_events = true where slug = 'secrets'`)
  const rows: { id: string; slug: string }[] = await platform.em().execute('select id, slug from event')
  for (const { id, slug } of rows) ids.set(slug, id)
})

test("a visitor's saved events are in the order of saving, with markets, without drafts, hidden and deleted ones", async () => {
  const kept = await keptEvents(
    platform,
    ['second', 'draft', 'hidden', 'withheld', 'first'].map((slug) => ids.get(slug)!).concat(crypto.randomUUID()),
  )
  expect(kept.map(({ slug, is_bookmarked, markets }) => [slug, is_bookmarked, markets.map((each) => each.slug)])).toEqual([
    ['second', true, ['second-1']],
    ['first', true, ['first-1']],
  ])
  expect(await keptEvents(platform, [])).toEqual([])
})
