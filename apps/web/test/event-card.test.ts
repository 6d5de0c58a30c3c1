import type { Event } from '@augury/wire/platform/event'
import type { Market } from '@augury/wire/platform/market'
import { expect, test } from 'vitest'
import { eventView, inShownOrder, rulesOf } from '../src/lib/event/event-view.ts'
import { namedOutcome, titleSaid } from '../src/lib/event/named-outcome.ts'
import { eventCard, outcomeCard } from '../src/lib/lists/event-card.ts'
import { eventPicture, marketPicture, ofNo } from '../src/lib/server/event-picture.ts'

/** A market with the best bid and ask of Yes (null without) and perhaps a result. */
function market(slug: string, bid: number | null, ask: number | null, given: Partial<Market> = {}): Market {
  const opposite = (price: number | null) => (price === null ? null : Number((1 - price).toFixed(4)))
  const price = bid === null || ask === null ? (bid ?? ask) : (bid + ask) / 2
  const token = { is_winning_outcome: false, payout_value: null }
  return {
    slug,
    title: `Will ${slug} win?`,
    short_title: slug,
    question: `Will ${slug} win?`,
    position: 0,
    condition_id: `0x${slug}`,
    market_rules: '',
    resolution_source: '',
    resolution_source_url: '',
    end_time: '2999-12-31T00:00:00.000Z',
    is_active: true,
    is_resolved: false,
    volume: 0,
    price,
    probability: price === null ? null : Math.round(price * 100),
    condition: { open_interest: 7 },
    outcomes: [
      { ...token, token_id: `${slug}-yes`, outcome_text: 'Yes', outcome_index: 0, buy_price: ask, sell_price: bid },
      { ...token, token_id: `${slug}-no`, outcome_text: 'No', outcome_index: 1, buy_price: opposite(bid), sell_price: opposite(ask) },
    ],
    ...given,
  } as Market
}

const event = (markets: Market[], given: Partial<Event> = {}) =>
  ({
    id: '7',
    slug: 'winner',
    title: 'Who wins?',
    icon_url: '',
    status: 'active',
    volume: 1234,
    volume_24h: 0,
    start_date: null,
    end_date: '2026-12-31T00:00:00.000Z',
    resolved_at: null,
    neg_risk: true,
    rules: 'The winner is who wins.',
    main_tag: 'sports',
    tags: [
      { id: '1', name: 'Sports', slug: 'sports', isMainCategory: true },
      { id: '2', name: 'Soccer', slug: 'soccer', isMainCategory: false },
    ],
    markets,
    ...given,
  }) as Event

test('the pictures of an event and its markets are those that the site names', () => {
  const cup = event([market('a', 0.6, 0.62, { picture: '/art/1/f_es.svg' })], { picture: '/uploads/cup.webp' })
  expect([eventCard(cup).picture, eventView(cup).picture]).toEqual(['/uploads/cup.webp', '/uploads/cup.webp'])
  expect([eventCard(cup).rows[0]!.picture, eventView(cup).markets[0]!.picture]).toEqual(['/art/1/f_es.svg', '/art/1/f_es.svg'])
})

test('a card shows the likeliest outcomes, those without a price behind, and counts the rest', () => {
  const card = eventCard(event([market('quiet', null, null), market('b', 0.2, 0.22), market('a', 0.6, 0.62), market('c', null, 0.05)]), 3)
  expect(card.rows.map(({ name, percent, yesAsk, noAsk }) => [name, percent, yesAsk, noAsk])).toEqual([
    ['a', 61, 6200, 4000],
    ['b', 21, 2200, 8000],
    ['c', 5, 500, null],
  ])
  expect(card).toMatchObject({ markets: 4, category: { slug: 'sports', name: 'Sports' }, endsAt: Date.UTC(2026, 11, 31), resolved: false })
})

test('a market that was traded keeps its price when its book is empty', () => {
  const traded = market('traded', null, null, { volume: 5, price: 0.3, probability: 30 })
  expect(eventCard(event([traded])).rows[0]?.percent).toBe(30)
})

test('a decided market shows its result, and a split one says so', () => {
  const won = market('won', null, null, { is_resolved: true })
  won.outcomes[0]!.is_winning_outcome = true
  const split = market('split', null, null, { is_resolved: true })
  expect(eventCard(event([won, split])).rows.map(({ result }) => result)).toEqual(['Yes', 'Split'])
})

test('a market that takes no orders any more and has no result yet says so', () => {
  const over = market('over', 0.4, 0.5, { is_active: false })
  const decided = market('decided', null, null, { is_active: false, is_resolved: true })
  expect(eventCard(event([over, decided, market('open', 0.1, 0.2)]), 3).rows.map(({ name, closed }) => [name, closed])).toEqual([
    ['over', true],
    ['open', undefined],
    ['decided', undefined],
  ])
})

test('a market takes no orders from its end on, also while it is still active here', () => {
  const ended = (name: string) => market(name, 0.4, 0.5, { end_time: '2020-12-31T00:00:00.000Z' })
  expect(eventCard(event([ended('over')])).rows[0]).toMatchObject({ closed: true })
  const both = eventView(event([ended('over'), market('open', 0.1, 0.2)]))
  expect(both.markets.map(({ slug, open }) => [slug, open])).toEqual([
    ['over', false],
    ['open', true],
  ])
  expect([both.status, eventView(event([ended('a'), ended('b')])).status]).toEqual(['active', 'archived'])
})

test('an event page has its outcomes in the order of the prices that it shows, with what has no price last', () => {
  const view = eventView(event([market('quiet', null, null), market('b', 0.2, 0.22), market('a', 0.6, 0.62)]))
  expect(view.markets.map(({ slug }) => slug)).toEqual(['a', 'b', 'quiet'])
  const quotes = [10, 70, null].map((percent) => ({ percent, yesAsk: null, noAsk: null }))
  const shown = inShownOrder(view, quotes)
  expect(shown.event.markets.map(({ slug }) => slug)).toEqual(['b', 'a', 'quiet'])
  expect(shown.quotes.map(({ percent }) => percent)).toEqual([70, 10, null])
  expect(view.tags).toEqual([{ slug: 'soccer', name: 'Soccer' }])
})

test.each([
  ['', 'The winner is who wins.'],
  ['Only the first counts.', 'Only the first counts.'],
])('the rules of a market are its own (%j), else those of its event', (market_rules, rules) => {
  const view = eventView(event([market('a', 0.6, 0.62, { market_rules })]))
  expect(rulesOf(view, view.markets[0]!)).toBe(rules)
})

test.each([
  ['', '', null],
  ['The league', '', { name: 'The league', url: '' }],
  ['The league', 'https://league.example/table', { name: 'The league', url: 'https://league.example/table' }],
  ['', 'https://league.example/', { name: 'league.example', url: 'https://league.example/' }],
  ['', 'javascript:alert(1)', null],
  ['The league', 'javascript:alert(1)', { name: 'The league', url: '' }],
])('a source %j at %j leads nowhere unsafe', (resolution_source, resolution_source_url, source) => {
  const view = eventView(event([market('a', 0.6, 0.62, { resolution_source, resolution_source_url })]))
  expect(view.markets[0]?.source).toEqual(source)
})

test('a paused market differs from one that is over, until its end', () => {
  const paused = { is_active: false, is_paused: true }
  const row = (given: Partial<Market>) => eventCard(event([market('a', 0.6, 0.62, given)])).rows[0]
  expect(row({ ...paused, end_time: '2999-12-31T00:00:00.000Z' })).toMatchObject({ closed: true, paused: true })
  expect(row({ ...paused, end_time: '2020-12-31T00:00:00.000Z' })).not.toHaveProperty('paused')
})

test('what is shared of one outcome names it, with its own chance and volume', () => {
  const cup = event([market('reds', 0.2, 0.3, { volume: 50 }), market('blues', 0.6, 0.7, { volume: 70 })])
  expect(outcomeCard(cup, 'reds')).toMatchObject({ title: 'Who wins?', markets: 2, volume: 50, rows: [{ name: 'reds', percent: 25 }] })
  expect(outcomeCard(cup, 'greens')).toBeNull()
  expect(marketPicture(cup, 'reds')).toMatchObject({ title: 'reds', about: 'Who wins?', rows: [{ name: 'Yes', chance: '25%' }] })
  expect(marketPicture(cup, 'reds', 1)).toMatchObject({ title: 'reds', rows: [{ name: 'No', chance: '75%', percent: 75 }] })
  expect(marketPicture(cup, 'greens')).toBeNull()
  const rain = event([market('rain', 0.2, 0.3)])
  expect(marketPicture(rain, 'rain', 1)).toMatchObject({ title: 'Who wins?', rows: [{ name: 'No', chance: '75%' }] })
})

test('the embedded card of a link to No has the name, chance and line of No', () => {
  const card = outcomeCard(event([market('reds', 0.2, 0.3), market('blues', 0.5, 0.6)]), 'reds')!
  const line = { slug: 'reds', name: 'reds', place: 0, points: [{ t: 1, p: 0.25 }] }
  const no = ofNo(card, [line])
  expect(no.card.rows).toMatchObject([{ name: 'reds (No)', outcomes: ['No', 'Yes'], percent: 75 }])
  expect(no.lines).toEqual([{ ...line, points: [{ t: 1, p: 0.75 }] }])
  expect(ofNo(eventCard(event([market('rain', 0.2, 0.3)])), []).card.rows).toMatchObject([{ name: 'No', percent: 75 }])
})

test('a market without a price has no percentage in pictures', () => {
  const rain = event([market('rain', null, null)])
  for (const side of [0, 1] as const) expect(eventPicture(rain, side).rows).toMatchObject([{ chance: 'No price yet', percent: null }])
  expect(ofNo(eventCard(rain), []).card.rows).toMatchObject([{ name: 'No', percent: null }])
})

test.each<[boolean, 0 | 1, { name: string; chance: string }]>([
  [true, 0, { name: 'Yes', chance: '25%' }],
  [true, 1, { name: 'No', chance: '75%' }],
  [false, 0, { name: 'reds', chance: '25%' }],
  [false, 1, { name: 'reds (No)', chance: '75%' }],
])('with one market (%s) and outcome %i a page tells of %j', (single, shown, told) => {
  const reds = { name: 'reds', outcomes: ['Yes', 'No'] as [string, string], result: null }
  expect(namedOutcome(reds, 25, { single, shown })).toEqual(told)
  expect(namedOutcome(reds, null, { single, shown })).toBeNull()
  const title = `${told.name} · Who wins?`
  expect(titleSaid('Who wins?', reds, { single, shown })).toBe(single && shown === 0 ? 'Who wins?' : title)
  expect(namedOutcome({ ...reds, result: 'Yes' }, 25, { single, shown })).toBeNull()
})
