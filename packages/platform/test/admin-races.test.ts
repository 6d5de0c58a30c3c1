import { fc } from '@augury/testing/properties'
import { expect, test } from 'vitest'
import { removeAdmin } from '../src/admin/admins.ts'
import { hasTwoAdmins } from '../src/admin/second-admin.ts'
import type { Admin } from '../src/identity/viewer.ts'
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
