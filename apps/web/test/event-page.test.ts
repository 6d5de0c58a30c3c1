import { expect, test } from 'vitest'
import type { EventCard } from '../src/lib/lists/event-card.ts'
import { cardsOf, type EventPage } from '../src/lib/lists/event-page.ts'

const page = (...slugs: string[]) => ({ events: slugs.map((slug) => ({ slug }) as EventCard) }) as EventPage

test.each([
  { pages: [['a', 'b'], ['c']], without: null, shown: ['a', 'b', 'c'] },
  {
    pages: [
      ['a', 'b', 'c'],
      ['c', 'd'],
    ],
    without: null,
    shown: ['a', 'b', 'c', 'd'],
  },
  {
    pages: [
      ['a', 'b'],
      ['c', 'a'],
    ],
    without: 'b',
    shown: ['a', 'c'],
  },
])('pages that overlap show every event once: $pages without $without', ({ pages, without, shown }) => {
  expect(
    cardsOf(
      pages.map((slugs) => page(...slugs)),
      without,
    ).map(({ slug }) => slug),
  ).toEqual(shown)
})
