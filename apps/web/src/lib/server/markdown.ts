import type { SiteBrand } from '@augury/platform/themes/site-brand'
import type { MainTag } from '@augury/wire/platform/event'
import { type EventView, type MarketView, rulesOf } from '#lib/event/event-view.ts'
import { chance, volume } from '#lib/language/numbers.ts'
import type { Guide } from './guides.ts'

/** Response with a page as Markdown: the same for everybody, cacheable for five minutes. */
export const markdownResponse = (text: string): Response =>
  new Response(text, { headers: { 'content-type': 'text/markdown; charset=utf-8', 'cache-control': 'public, max-age=300' } })

/** Description of the site and links to its texts for language models, in the format of llmstxt.org. */
export function siteMarkdown(of: {
  brand: Pick<SiteBrand, 'name' | 'description'>
  origin: string
  exchange: string
  categories: readonly Pick<MainTag, 'name' | 'slug' | 'childs'>[]
  guides: readonly Pick<Guide, 'slug' | 'title' | 'about'>[]
}): string {
  const { brand, origin, exchange } = of
  const lines = [
    `# ${inLine(brand.name)}`,
    '',
    `> ${inLine(brand.description) || 'A prediction market.'}`,
    '',
    'Each market asks a question about the future. A share of the outcome that comes true pays one dollar, so the price of a share is the',
    `chance of its outcome. The page of an event is text at its address with \`.md\`: \`${origin}/event/SLUG.md\`.`,
    '',
    '## Markets',
    '',
    ...of.categories.map(({ name, slug, childs }) => link(name, `${origin}/c/${slug}`, childs.map((child) => child.name).join(', '))),
    link('Every event', `${origin}/sitemap.xml`, 'the sitemap, by month'),
    '',
    '## Guides',
    '',
    ...of.guides.map(({ slug, title, about }) => link(title, `${origin}/docs/${slug}.md`, about)),
    '',
    '## API',
    '',
    link('The exchange as OpenAPI', `${exchange}/openapi.json`, 'books, orders, trades, balances'),
    link('The exchange’s streams as AsyncAPI', `${exchange}/asyncapi.json`, 'live books, and one’s own orders and trades'),
    link('The site as OpenAPI', `${origin}/openapi.json`, 'events, search, comments, members'),
  ]
  return `${lines.join('\n')}\n`
}

/** An event as Markdown, with outcomes, rules and ids. */
export function eventMarkdown(event: EventView, { origin }: { origin: string }): string {
  const only = event.markets.length === 1 ? event.markets[0]! : null
  const facts = [
    ['Page', `${origin}/event/${event.slug}`],
    ['Category', event.category ? inLine(event.category.name) : ''],
    ['Status', event.status],
    ['Closes', event.endsAt === null ? '' : new Date(event.endsAt).toISOString()],
    ['Traded', volume(event.volume)],
  ].filter(([, value]) => value !== '')
  const lines = [
    `# ${inLine(event.title)}`,
    '',
    ...facts.map(([name, value]) => `- ${name}: ${value}`),
    '',
    '| Outcome | Chance | Result | Traded | Condition | Token of Yes | Token of No |',
    '|---|---|---|---|---|---|---|',
    ...event.markets.map((market) => row(only ? { ...market, name: market.outcomes[0] } : market)),
    '',
    ...(only ? section('Rules', rulesOf(event, only)) : section('Rules', event.rules)),
    ...(only ? [] : event.markets.flatMap(({ name, rules }) => section(`Rules of ${inLine(name)}`, rules))),
  ]
  return `${lines.join('\n').trimEnd()}\n`
}

const row = ({ name, percent, result, volume: traded, conditionId, tokens }: MarketView) =>
  `| ${[name, result === null ? chance(percent) : '', result ?? '', volume(traded), conditionId, ...tokens].map(inLine).join(' | ')} |`

const section = (title: string, text: string) => (text.trim() === '' ? [] : [`## ${title}`, '', text.trim(), ''])

const link = (name: string, href: string, about: string) => `- [${inLine(name)}](${href})${about === '' ? '' : `: ${inLine(about)}`}`

/** Escapes a text for use in one line of Markdown: in table cells and links, without tags. */
const inLine = (text: string): string => text.replace(/\s+/g, ' ').replace(/[\\|<[\]]/g, (mark) => `\\${mark}`)
