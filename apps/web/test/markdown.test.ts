import { expect, test } from 'vitest'
import type { EventView, MarketView } from '../src/lib/event/event-view.ts'
import { eventMarkdown, siteMarkdown } from '../src/lib/server/markdown.ts'

const market = (name: string, percent: number | null, result: string | null = null) =>
  ({
    slug: name,
    name,
    outcomes: ['Up', 'Down'],
    percent,
    result,
    volume: 1500,
    conditionId: '0xc0',
    tokens: ['1', '2'],
    rules: `${name}: by the score.`,
  }) as MarketView
const event = (markets: MarketView[], title = 'Who wins?') =>
  ({
    slug: 'cup',
    title,
    category: { slug: 'sports', name: 'Sports' },
    status: 'active',
    endsAt: 0,
    volume: 3000,
    rules: 'In the final.',
    markets,
  }) as EventView
const origin = 'https://augury.test'

test('an event is text with its outcomes, their chances or results, and their names for programs', () => {
  const text = eventMarkdown(event([market('Ajax', 60), market('Porto', null), market('Roma', 0, 'Down')]), { origin })
  expect(text).toContain(
    '# Who wins?\n\n- Page: https://augury.test/event/cup\n- Category: Sports\n- Status: active\n- Closes: 1970-01-01T00:00:00.000Z',
  )
  expect(text.match(/^\| (Ajax|Porto|Roma) .*$/gm)).toEqual([
    '| Ajax | 60% |  | $1.5K | 0xc0 | 1 | 2 |',
    '| Porto | – |  | $1.5K | 0xc0 | 1 | 2 |',
    '| Roma |  | Down | $1.5K | 0xc0 | 1 | 2 |',
  ])
  expect(text).toContain('## Rules\n\nIn the final.\n\n## Rules of Ajax\n\nAjax: by the score.')
})

test('an event of one market is described by its outcome and its rules', () => {
  const text = eventMarkdown(event([market('Price', 30)]), { origin })
  expect(text).toContain('| Up | 30% |')
  expect(text.endsWith('## Rules\n\nPrice: by the score.\n')).toBe(true)
})

test('no title or name breaks the line that it stands in', () => {
  const text = eventMarkdown(event([market('A|B\n## C', 60)].concat(market('<b>', 1)), 'Who\nwins [here](x)?'), { origin })
  expect(text).toContain('# Who wins \\[here\\](x)?')
  expect(text).toContain('| A\\|B ## C | 60% |')
  expect(text).toContain('| \\<b> | 1% |')
  const marked = eventMarkdown(event([market('A\\|B', 60), market('C', 1)], '\\[here\\](https://other.example) \\<b>'), { origin })
  expect(marked).toContain('# \\\\\\[here\\\\\\](https://other.example) \\\\\\<b>')
  expect(marked).toContain('| A\\\\\\|B | 60% |')
})

test('the site tells models what it is, and where its texts are', () => {
  const text = siteMarkdown({
    brand: { name: 'Oracle', description: 'Markets for everybody.' },
    ...{ origin, exchange: 'https://clob.augury.test' },
    categories: [{ name: 'Sports', slug: 'sports', childs: [{ name: 'Football', slug: 'football' }] }],
    guides: [{ slug: 'trading', title: 'Trading', about: 'How\nto.' }],
  })
  expect(text.startsWith('# Oracle\n\n> Markets for everybody.\n')).toBe(true)
  expect(text).toContain('- [Sports](https://augury.test/c/sports): Football\n')
  expect(text).toContain('- [Trading](https://augury.test/docs/trading.md): How to.\n')
  expect(text).toContain('https://clob.augury.test/asyncapi.json')
})
