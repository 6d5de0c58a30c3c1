import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const SINGLE = 90
const EVENTS = 6
const OPTIONS = ['North', 'East', 'South', 'West']

/** A market without a price between 0 and 1: the liquidity bot never quotes it, so a journey knows who is met there. */
const market = (slug: string, question: string, groupItemTitle?: string) => ({
  slug,
  question,
  ...(groupItemTitle === undefined ? {} : { groupItemTitle }),
  outcomes: '["Yes", "No"]',
  outcomePrices: '["0", "1"]',
  volumeNum: 1,
  endDate: '2027-12-31T00:00:00Z',
  orderPriceMinTickSize: 0.001,
  orderMinSize: 5,
  description: 'This market is for tests of the site. It resolves as a test says.',
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

/** The shipped catalogue and markets that nobody quotes, alone and in events of which one wins, as text. */
export function withQuietMarkets(root: string): string {
  const shipped = JSON.parse(readFileSync(join(root, 'data', 'catalogue.json'), 'utf8')) as object[]
  const numbers = (count: number) => Array.from({ length: count }, (_, n) => n + 1)
  const single = numbers(SINGLE).map((n) => {
    const [slug, title] = [`quiet-${n}`, `Will quiet market ${n} say yes?`]
    return event(slug, title, false, [market(slug, title)])
  })
  const exclusive = numbers(EVENTS).map((n) => {
    const slug = `quiet-event-${n}`
    const rows = OPTIONS.map((name) => market(`${slug}-${name.toLowerCase()}`, `Will ${name} win quiet event ${n}?`, name))
    return event(slug, `Who wins quiet event ${n}?`, true, rows)
  })
  return JSON.stringify([...shipped, ...exclusive, ...single])
}
