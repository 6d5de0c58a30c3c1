import { expect, test } from 'vitest'
import { refreshEventTotals } from '../src/events/event-totals.ts'
import { discoveryEvent, openEvents, testPlatform } from './test-platform.ts'

const { platform } = await testPlatform()
await openEvents(platform, [discoveryEvent('e', 'E', ['t'], [{ slug: 'a' }, { slug: 'b' }])])
const { id } = (await platform.em().execute<{ id: string }[]>('select id from event'))[0]!

const SET: Record<string, string> = {
  active: `is_active = true, is_resolved = false, weight = null, resolution_status = 'pending'`,
  idle: `is_active = false, is_resolved = false, weight = null, resolution_status = 'pending'`,
  resolved: `is_active = false, is_resolved = true, weight = 10000, resolution_status = 'confirmed'`,
}
const TABLE: [a: string, b: string, status: string, active: number, resolved: boolean][] = [
  ['active', 'active', 'active', 2, false],
  ['active', 'idle', 'active', 1, false],
  ['active', 'resolved', 'active', 1, false],
  ['idle', 'idle', 'archived', 0, false],
  ['idle', 'resolved', 'archived', 0, false],
  ['resolved', 'resolved', 'resolved', 0, true],
]

test.each(TABLE)('an event of a market %s and one %s is %s', async (a, b, status, active, resolved) => {
  const em = platform.em()
  await em.execute(`update market set ${SET[a]} where slug = 'a'`)
  await em.execute(`update market set ${SET[b]} where slug = 'b'`)
  await refreshEventTotals(em, [id, id])
  expect(
    await em.execute(
      'select status, active_markets_count as active, total_markets_count as total, resolved_at is not null as resolved from event',
    ),
  ).toEqual([{ status, active, total: 2, resolved }])
})

test('the time of resolution is kept while resolved, and removed afterwards', async () => {
  const em = platform.em()
  await em.execute(`update market set ${SET.resolved}`)
  await refreshEventTotals(em, [id])
  await em.execute(`update event set resolved_at = '2026-01-01T00:00:00Z'`)
  await em.execute(`update market set volume = 5`)
  await refreshEventTotals(em, [id])
  expect(await em.execute(`select volume, resolved_at = '2026-01-01T00:00:00Z' as kept from event`)).toEqual([{ volume: '10', kept: true }])
  await em.execute(`update market set ${SET.active}`)
  await refreshEventTotals(em, [id])
  expect(await em.execute('select status, resolved_at from event')).toEqual([{ status: 'active', resolved_at: null }])
})

test('an event without markets is a draft', async () => {
  const em = platform.em()
  await em.execute('delete from market')
  await refreshEventTotals(em, [id])
  expect(await em.execute('select status, total_markets_count as total, volume from event')).toEqual([
    { status: 'draft', total: 0, volume: '0' },
  ])
})
