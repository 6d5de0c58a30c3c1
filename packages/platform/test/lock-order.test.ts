import { eventually } from '@augury/testing/eventually'
import { describe, expect, test } from 'vitest'
import { orderCategories } from '../src/admin/categories.ts'
import { mergeCategory } from '../src/admin/merge-categories.ts'
import { pauseEvent } from '../src/admin/pause-event.ts'
import { refreshEventTotals } from '../src/events/event-totals.ts'
import { markShown } from '../src/settings/shown-creators.ts'
import type { Site } from '../src/site/site.ts'
import { updateOf, writeMarkets } from '../src/sync/write-markets.ts'
import { newAdmin } from './signing-in.ts'
import { CREATOR, discoveryEvent, openEvents } from './test-platform.ts'
import { testSite } from './test-site.ts'
import { waitingIn } from './waiting.ts'

const { site } = await testSite()
await openEvents(site, [discoveryEvent('pair', 'A pair', ['t'], [{ slug: 'p-1' }, { slug: 'p-2' }])])
const [event]: { id: string }[] = await site.em().execute('select id from event')
const markets: { condition_id: string }[] = await site.em().execute('select condition_id from market')

const admin = await newAdmin(site)

const waiting = () => waitingIn(site)
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
  const paused = pauseEvent(at, admin, { params: { id: event!.id }, body: {} }, true)
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

test('when two markets of an event are resolved at once, it has the totals of both', async () => {
  const resolve = async (slug: string, between = async () => {}) =>
    site.em().transactional(async (em) => {
      await em.execute(
        `update market set is_active = false, is_resolved = true, weight = 0, resolution_status = 'confirmed', volume = 7 where slug = ?`,
        [slug],
      )
      await refreshEventTotals(em, [event!.id])
      await between()
    })
  let second = Promise.resolve()
  await resolve('p-1', async () => {
    second = resolve('p-2')
    await eventually(async () => expect(await waiting()).toBe(1))
  })
  await second
  expect(await site.em().execute('select status, active_markets_count as active, volume from event')).toEqual([
    { status: 'resolved', active: 0, volume: '14' },
  ])
})

describe('while a job counts events', () => {
  /** Two events, of which the one that jobs lock first comes second in the table. */
  async function twoEvents(name: string): Promise<[first: string, second: string]> {
    await openEvents(
      site,
      ['a', 'b'].map((letter) => discoveryEvent(`${name}-${letter}`, 'An event', [name], [{ slug: `${name}-${letter}-1` }])),
    )
    const [first, second]: { id: string }[] = await site.em().execute(`select id from event where slug like ? order by id`, [`${name}-%`])
    await site.em().execute('update event set ranking_seed = 1 where id = ?', [first!.id])
    return [first!.id, second!.id]
  }

  /** Does something after a job has locked the first event, and before it locks the second. */
  async function between([first, second]: [first: string, second: string], act: () => Promise<unknown>): Promise<void> {
    let acted: Promise<unknown> = Promise.resolve()
    await site.em().transactional(async (em) => {
      await refreshEventTotals(em, [first])
      acted = act()
      await eventually(async () => expect(await waiting()).toBe(1))
      await refreshEventTotals(em, [second])
    })
    await acted
  }

  test('other creators are shown', async () => {
    await between(await twoEvents('shown'), () => site.em().transactional((em) => markShown(em, new Set())))
    expect(await site.em().execute('select distinct is_shown from event')).toEqual([{ is_shown: false }])
  })

  test('categories are merged', async () => {
    const events = await twoEvents('merged')
    const [from, into]: { id: string }[] = await site.em().execute(`select id from tag where slug in ('merged', 't') order by slug`)
    await between(events, () => mergeCategory(site, admin, { params: { id: from!.id }, body: { into: into!.id } }))
    expect(await site.em().execute('select count(*)::int as n from event where main_tag_id = ?', [into!.id])).toEqual([{ n: 3 }])
  })
})
