import { eventually } from '@augury/testing/eventually'
import { expect, test } from 'vitest'
import { orderCategories } from '../src/admin/categories.ts'
import { pauseEvent } from '../src/admin/change-event.ts'
import type { Site } from '../src/site.ts'
import { updateOf, writeMarkets } from '../src/sync/write-markets.ts'
import { newAdmin } from './signing-in.ts'
import { CREATOR, discoveryEvent, openEvents } from './test-platform.ts'
import { testSite } from './test-site.ts'

const { site } = await testSite()
await openEvents(site, [discoveryEvent('pair', 'A pair', ['t'], [{ slug: 'p-1' }, { slug: 'p-2' }])])
const [event]: { id: string }[] = await site.em().execute('select id from event')
const markets: { condition_id: string }[] = await site.em().execute('select condition_id from market')

const admin = await newAdmin(site)

/** Of this database: the tests of other files have theirs on the same server. */
const waiting = async () => {
  const [row]: { n: number }[] = await site
    .em()
    .execute(
      'select count(*)::int as n from pg_locks where not granted and pid in (select pid from pg_stat_activity where datname = current_database())',
    )
  return row!.n
}
const VOLUME = updateOf({ volume: 'bigint' })

test('while an admin pauses an event on a slow exchange, a job that writes its markets waits, and neither fails', async () => {
  const asked = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<void>()
  const patchCondition = () => {
    asked.resolve()
    return answer.promise
  }
  const operator = async () => ({ exchange: { patchCondition } }) as never
  const at = { ...site, exchange: { ...site.exchange, operatorAddress: CREATOR, operator } } as Site
  const paused = pauseEvent(at, admin, event!.id, true)
  await asked.promise
  const rows = markets.map(({ condition_id }, index) => ({ condition_id, volume: index + 1 }))
  const written = site.em().transactional((em) => writeMarkets(em, VOLUME, [JSON.stringify(rows)]))
  await eventually(async () => expect(await waiting()).toBeGreaterThan(0))
  answer.resolve()
  await expect(Promise.all([paused, written])).resolves.toEqual([{ success: true }, 2])
})

test('ordering categories waits for concurrent changes', async () => {
  const [tag]: { id: string }[] = await site.em().execute('select id from tag')
  const [begun, changed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const other = site.em().transactional(async (em) => {
    await em.execute(`select pg_advisory_xact_lock(hashtext('augury categories'))`)
    begun.resolve()
    await changed.promise
  })
  await begun.promise
  const ordered = orderCategories(site, admin, { body: { ids: [tag!.id] } })
  await eventually(async () => expect(await waiting()).toBe(1))
  changed.resolve()
  await expect(Promise.all([ordered, other])).resolves.toEqual([{ success: true }, undefined])
})
