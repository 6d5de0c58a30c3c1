import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const SINGLE = 90
const EVENTS = 6
const OPTIONS = ['North', 'East', 'South', 'West']

/** Names that no chart has room for on a phone. */
const LONG = ['The amalgamated association of keepers of lighthouses', 'The society for the protection of very long names']

/** A market. Without a price between 0 and 1 the liquidity bot never quotes it, so a journey knows who is met there. */
const market = (slug: string, question: string, groupItemTitle?: string, price = '0') => ({
  slug,
  question,
  ...(groupItemTitle === undefined ? {} : { groupItemTitle }),
  outcomes: '["Yes", "No"]',
  outcomePrices: JSON.stringify([price, String(1 - Number(price))]),
  volumeNum: 1,
  endDate: '2027-12-31T00:00:00Z',
  orderPriceMinTickSize: 0.001,
  orderMinSize: 5,
  description: 'For tests of the site. Resolves as a test says.',
  resolutionSource: 'https://example.com/quiet',
})

const event = (slug: string, title: string, negRisk: boolean, markets: object[]) => ({
  slug,
  title,
  negRisk,
  endDate: '2027-12-31T00:00:00Z',
  volume: 1,
  description: 'For tests of the site.',
  tags: [{ slug: 'science', label: 'Science' }],
  markets,
})

/** The shipped catalogue, unquoted markets, alone and in events of which one wins, and an event with long names, as text. */
export function withQuietMarkets(root: string): string {
  const shipped = JSON.parse(readFileSync(join(root, 'data', 'catalogue.json'), 'utf8')) as object[]
  const numbers = (count: number) => Array.from({ length: count }, (_, n) => n + 1)
  const single = numbers(SINGLE).map((n) => {
    const [slug, title] = [`quiet-${n}`, `Will quiet question ${n} be settled?`]
    return event(slug, title, false, [market(slug, title)])
  })
  const exclusive = numbers(EVENTS).map((n) => {
    const slug = `quiet-event-${n}`
    const rows = OPTIONS.map((name) => market(`${slug}-${name.toLowerCase()}`, `Will ${name} win quiet event ${n}?`, name))
    return event(slug, `Who wins quiet event ${n}?`, true, rows)
  })
  const long = LONG.map((name, n) => market(`long-name-${n + 1}`, `Will ${name} win the cup?`, name, '0.5'))
  return JSON.stringify([...shipped, ...exclusive, ...single, event('long-names', 'Who wins the cup?', true, long)])
}
