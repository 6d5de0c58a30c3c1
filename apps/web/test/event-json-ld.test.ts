import { expect, test } from 'vitest'
import type { EventView, MarketView } from '../src/lib/event/event-view.ts'
import { eventJsonLd } from '../src/lib/server/event-json-ld.ts'

const market = (name: string, percent: number | null, result: string | null = null) =>
  ({ slug: name.toLowerCase(), name, outcomes: ['Yes', 'No'], percent, result, rules: 'By the score.' }) as MarketView
const event = (markets: MarketView[], status: EventView['status'] = 'active') =>
  ({
    slug: 'cup',
    title: 'Who wins the cup?',
    category: { slug: 'sports', name: 'Sports' },
    startsAt: 0,
    rules: '',
    status,
    markets,
  }) as EventView

test.each([
  { is: 'of one market', given: event([market('Cup', 30)]), field: 'suggestedAnswer', texts: ['Yes: 30%', 'No: 70%'] },
  { is: 'of several', given: event([market('Ajax', 60), market('Porto', null)]), field: 'suggestedAnswer', texts: ['Ajax: 60%', 'Porto'] },
  { is: 'decided', given: event([market('Cup', 100, 'Yes')], 'resolved'), field: 'acceptedAnswer', texts: ['Yes'] },
])('an event $is is a question with its answers, and has its place on the site', ({ given, field, texts }) => {
  const { '@graph': graph } = eventJsonLd(given, { origin: 'https://augury.test', locale: 'en' }) as { '@graph': Record<string, unknown>[] }
  const [trail, question] = [graph[0]!, graph[1]!]
  expect((trail.itemListElement as { item: string }[]).map(({ item }) => item)).toEqual([
    'https://augury.test',
    'https://augury.test/c/sports',
    'https://augury.test/event/cup',
  ])
  expect(question).toMatchObject({ '@type': 'Question', name: 'Who wins the cup?', dateCreated: '1970-01-01T00:00:00.000Z' })
  expect((question[field] as { text: string }[]).map(({ text }) => text)).toEqual(texts)
})
