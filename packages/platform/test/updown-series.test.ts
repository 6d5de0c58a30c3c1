import { expect, test } from 'vitest'
import { currentWindow } from '../src/series/current-window.ts'
import { seriesWorld } from './series-world.ts'

const FIVE_MINUTES = 300_000
const world = await seriesWorld([
  { slug: 'btc-updown-5m', interval: '5m', settlementSeconds: 0, disputeSeconds: 0, ahead: 1 },
  { slug: 'btc-usd-5m', interval: '5m', settlementSeconds: 0, disputeSeconds: 0, ahead: 1 },
])
interface Row {
  slug: string
  start: number
  end: number
  done: boolean
}
const windows = (series: string) =>
  world.rows<Row>(
    `select event.slug, extract(epoch from start_date)::int as start, extract(epoch from end_time)::int as end, is_resolved as done
     from event join market on event_id = event.id where series_slug = ? order by end_time`,
    [series],
  )

test('slugs of an updown series name the second at which a window begins, those of others the one at which it ends', async () => {
  await world.tick()
  const [updown, other] = [await windows('btc-updown-5m'), await windows('btc-usd-5m')]
  expect(updown.map(({ slug }) => slug)).toEqual(updown.map(({ start }) => `btc-updown-5m-${start}`))
  expect(other.map(({ slug }) => slug)).toEqual(other.map(({ end }) => `btc-usd-5m-${end}`))
  expect(await currentWindow(world.platform, { slug: 'btc-updown-5m' })).toBe(updown[0]!.slug)
})

test('windows of both are resolved by their own end, also those that an older release named', async () => {
  // The older release named a window by its end: that slug is now the one of the window after it.
  await world.rows(`update event set slug = 'btc-updown-5m-' || extract(epoch from end_date)::bigint where series_slug = 'btc-updown-5m'
    and end_date = (select max(end_date) from event where series_slug = 'btc-updown-5m')`)
  for (let n = 0; n < 4; n++) {
    world.clock.advance(FIVE_MINUTES)
    for (const _ of ['propose', 'confirm', 'settle']) await world.tick()
  }
  const done = (rows: readonly Row[]) => rows.filter(({ done }) => done).length
  const [updown, other] = [await windows('btc-updown-5m'), await windows('btc-usd-5m')]
  expect(done(other)).toBeGreaterThanOrEqual(3)
  expect(done(updown)).toBe(done(other) - 1) // the window whose slug was taken has no market
})
