import type { Event } from '@augury/wire/platform/event'
import type { Market } from '@augury/wire/platform/market'
import { expect, test } from 'vitest'
import { toneColour, toneOf } from '../src/lib/charts/lines.ts'
import { eventCard } from '../src/lib/lists/event-card.ts'
import { featured, featuredCard, inOrderOf, soonRow } from '../src/lib/lists/featured.ts'

const market = (slug: string, probability: number, is_resolved = false): Market =>
  ({
    slug,
    title: slug,
    condition_id: `0x${slug}`,
    is_active: true,
    is_resolved,
    volume: 1,
    probability,
    outcomes: [],
  }) as Partial<Market> as Market

test('the lines of the leading event are those of its rows, in their order', () => {
  const markets = [market('spain', 17), market('france', 13), market('england', 11), market('argentina', 10), market('brazil', 9)]
  const event = { markets, tags: [], end_date: null } as Partial<Event> as Event
  const lines = ['france', 'spain', 'brazil', 'argentina'].map((slug) => ({
    condition_id: `0x${slug}`,
    history: [{ t: 1, p: 0.1 }],
    earlier: null,
  }))
  const { event: card, chart } = featured(event, featuredCard(event), lines, 2)
  expect(card.rows.map(({ slug }) => slug)).toEqual(['spain', 'france', 'england', 'argentina'])
  expect(chart?.lines.map(({ slug, value }) => `${slug} ${value}`)).toEqual(['spain 17%', 'france 13%', 'argentina 10%'])
  expect(featured(event, featuredCard(event), [], 2).chart).toBeNull()
})

test('a bar has the colour of its line, also where what is decided leads by its price and comes last among the rows', () => {
  const markets = [market('decided', 100, true), market('spain', 17), market('france', 13)]
  const { rows } = eventCard({ markets, tags: [], end_date: null } as Partial<Event> as Event, 3)
  const lines = ['decided', 'spain'].map((slug) => ({ slug, name: slug, place: slug === 'decided' ? 0 : 1, points: [{ t: 1, p: 0.1 }] }))
  const drawn = inOrderOf(rows, lines)
  expect(drawn.map(({ slug }) => slug)).toEqual(['spain', 'decided'])
  expect(rows.map(({ slug }) => [slug, toneColour(toneOf(drawn, slug))])).toEqual([
    ['spain', 'var(--line-2)'],
    ['france', 'var(--border-strong)'],
    ['decided', 'var(--line-1)'],
  ])
})

test('an event beside the leading one is a row of its likeliest market, whose quote can be followed; without a market it has none', () => {
  const event = (slug: string, markets: Market[]) => ({ slug, title: slug, markets, tags: [], end_date: null }) as Partial<Event> as Event
  expect(soonRow(event('race', [market('anna', 20), market('berta', 30)]))).toMatchObject({
    ...{ slug: 'race', below: 'berta', market: { conditionId: '0xberta', percent: 30, result: null } },
  })
  expect(soonRow(event('empty', []))).toMatchObject({ slug: 'empty', below: '', market: null })
})
