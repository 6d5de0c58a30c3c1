import { fc } from '@augury/testing/properties'
import { draftContent } from '@augury/wire/platform/draft'
import { expect, test } from 'vitest'
import { removeAdmin } from '../src/admin/admins.ts'
import { hasTwoAdmins } from '../src/authorization/second-admin.ts'
import type { Admin } from '../src/authorization/viewer.ts'
import { putSeries } from '../src/creation/event-series.ts'
import { saveSettings } from '../src/settings/manage-settings.ts'
import { settingsOf } from '../src/settings/site-settings.ts'
import { races } from './races.ts'
import { newAdmin } from './signing-in.ts'
import { testSite } from './test-site.ts'

const { site } = await testSite()
const race = races(site)

test('of admins who remove each other at once one stays', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.integer({ min: 2, max: 3 }), async (scheduler, count) => {
      await site.em().execute('delete from admin_wallet')
      const admins: Admin[] = []
      for (let i = 0; i < count; i++) admins.push(await newAdmin(site))
      const outcomes = await race(
        scheduler,
        admins.map((admin, i) => (at) => removeAdmin(at, admin, { params: { address: admins[(i + 1) % count]!.address } })),
      )
      const left = await site.em().execute('select address from admin_wallet')
      expect(left.length).toBeGreaterThanOrEqual(1)
      expect(outcomes.filter((outcome) => outcome === 'passed').length).toBe(count - left.length)
      expect(new Set(outcomes)).toEqual(new Set(['passed', 'admin_required']))
    }),
    { numRuns: 20 },
  )
})

test('a second admin is required and one of the two removed: only one of these happens', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), async (scheduler) => {
      await site.em().execute('delete from admin_wallet')
      await site.em().execute('delete from settings_version')
      const [one, other] = [await newAdmin(site), await newAdmin(site)]
      const outcomes = await race(scheduler, [
        (at) => removeAdmin(at, one, { params: { address: other.address } }),
        (at) => saveSettings(at, one, 'resolution', { secondAdmin: true }),
      ])
      expect(outcomes.sort()).toEqual(['passed', 'second_admin_missing'])
      expect((await settingsOf(site, 'resolution')).secondAdmin).toBe(await hasTwoAdmins(site.em(), []))
    }),
    { numRuns: 20 },
  )
})

test('of admins who make the same recurring event at once the last is logged with what it changed', async () => {
  const content = draftContent.parse({ slug: 'rain-{date}' })
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), async (scheduler) => {
      await site.em().execute('delete from event_series')
      const [from]: { position: number }[] = await site.em().execute('select coalesce(max(position), 0)::int as position from audit_log')
      const admins = [await newAdmin(site), await newAdmin(site)]
      const ends = ['2027-01-01T06:00:00.000Z', '2027-01-02T06:00:00.000Z']
      const put = (at: typeof site, i: number) =>
        putSeries(at, admins[i]!, {
          params: { slug: 'rain' },
          body: { content, recurrence: 'daily', next_end: ends[i]!, enabled: false },
        })
      expect(await race(scheduler, [(at) => put(at, 0), (at) => put(at, 1)])).toEqual(['passed', 'passed'])
      const logged: { before: unknown; after: { next_end: string } }[] = await site.em().execute(
        `select details -> 'before' as before, details -> 'after' as after from audit_log where action = 'series_changed' and position > ?
           order by position`,
        [from!.position],
      )
      const [first, last] = logged.map(({ after }) => after.next_end)
      expect(logged).toMatchObject([{ before: null }, { before: { next_end: first }, after: { next_end: last } }])
    }),
    { numRuns: 20 },
  )
})
