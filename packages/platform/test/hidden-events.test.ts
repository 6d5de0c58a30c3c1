import { expect, test } from 'vitest'
import { anonymous } from '../src/authorization/viewer.ts'
import { metadataOf } from '../src/catalogue/register-markets.ts'
import { eventBySlug, hiddenAmong } from '../src/events/event-by-slug.ts'
import { discoveryEvent, openEvents, testPlatform } from './test-platform.ts'

const { platform } = await testPlatform()
await openEvents(
  platform,
  ['rain', 'snow'].map((slug) => discoveryEvent(slug, `Will there be ${slug}?`, ['weather'], [{ slug: `${slug}-1` }])),
)
await platform.em().execute(`update event set hidden_at = now() where slug = 'snow'`)

test('a hidden event keeps its page, and is not found by what is made for strangers', async () => {
  expect(await eventBySlug(platform, anonymous, { slug: 'snow' })).toMatchObject({ slug: 'snow' })
  await expect(eventBySlug(platform, anonymous, { slug: 'snow', listed: true })).rejects.toMatchObject({ code: 'event_not_found' })
  expect(await eventBySlug(platform, anonymous, { slug: 'rain', listed: true })).toMatchObject({ slug: 'rain' })
  expect(await hiddenAmong(platform, ['rain', 'snow', 'none'])).toEqual(new Set(['snow']))
  expect(await hiddenAmong(platform, [])).toEqual(new Set())
})

test('the exchange learns which events are hidden', async () => {
  const hidden = async (slug: string) => {
    const [event]: { id: string }[] = await platform.em().execute('select id from event where slug = ?', [slug])
    return (await metadataOf(platform.em(), event!.id)).map(({ metadata }) => metadata.event.hidden)
  }
  expect([await hidden('rain'), await hidden('snow')]).toEqual([[undefined], [true]])
})
