import type { Input } from '@augury/wire/operation'
import type { CATALOGUE_FIGURES, catalogueOperations } from '@augury/wire/operations/catalogue'
import { ServiceError } from '@augury/wire/service-error'
import type { ListedEvent, ListedMarket, Totals } from '../reference/catalogue.ts'
import { Cursors } from './cursors.ts'

type Query<Name extends keyof typeof catalogueOperations> = Input<(typeof catalogueOperations)[Name]>['query']
/** Filters and order of a list of events, and of one of markets. */
export type EventQuery = Omit<Query<'listCatalogueEvents'>, 'limit' | 'offset'>
export type MarketQuery = Omit<Query<'listCatalogueMarkets'>, 'limit' | 'offset'>
type Figure = (typeof CATALOGUE_FIGURES)[number]

/** A row that can be ordered. */
interface Row {
  listed: ListedMarket | ListedEvent
  totals: Totals
}

const isWithin = (value: number, least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY): boolean =>
  value >= least && value <= most

/** Whether an event, or a market of it, passes the filters that both have. Everything listed here is active, and nothing is archived. */
function isAskedFor({ startsAt, endsAt }: ListedMarket | ListedEvent, { tags }: ListedEvent, query: EventQuery | MarketQuery): boolean {
  const { tag_id, tag_slug, exclude_tag_id, active, archived } = query
  const has = (numbers: readonly string[]) => tags.some(({ number }) => numbers.includes(String(number)))
  return (
    active !== false &&
    archived !== true &&
    (!tag_id || has(tag_id)) &&
    (tag_slug === undefined || tags.some(({ slug }) => slug === tag_slug)) &&
    !(exclude_tag_id && has(exclude_tag_id)) &&
    isWithin(startsAt, query.start_date_min, query.start_date_max) &&
    isWithin(endsAt, query.end_date_min, query.end_date_max)
  )
}

/** A test for the filters of events, except those by state and sums: see `isInBounds`. */
export function eventsAskedFor(query: EventQuery): (event: ListedEvent) => boolean {
  const { id, slug, series_id, series_slug, title_search, featured } = query
  const words = title_search?.toLowerCase()
  return (event) =>
    featured !== true &&
    (!id || id.includes(String(event.number))) &&
    (!slug || slug.includes(event.slug)) &&
    (!series_id || (event.series !== null && series_id.includes(String(event.series.number)))) &&
    (series_slug === undefined || event.series?.slug === series_slug) &&
    (words === undefined || event.markets[0]!.market.metadata.event.title.toLowerCase().includes(words)) &&
    isAskedFor(event, event, query)
}

/** The same of markets. */
export function marketsAskedFor(query: MarketQuery): (market: ListedMarket) => boolean {
  const { id, slug, condition_ids, clob_token_ids, question_ids } = query
  const conditions = condition_ids?.map((condition) => condition.toLowerCase())
  return (listed) => {
    const { tokens, questionSlug, condition, questionId } = listed.market
    return (
      (!id || id.includes(String(listed.number))) &&
      (!slug || slug.includes(questionSlug)) &&
      (!conditions || conditions.includes(condition)) &&
      (!clob_token_ids || tokens.some((token) => clob_token_ids.includes(token))) &&
      (!question_ids || question_ids.includes(questionId)) &&
      isAskedFor(listed, listed.event, query)
    )
  }
}

interface Bounds {
  closed?: boolean | undefined
  liquidity: readonly [least: number | undefined, most: number | undefined]
  volume: readonly [least: number | undefined, most: number | undefined]
}

/** Whether a row is in the state asked for, and its sums are within bounds in USDC. */
export const isInBounds = ({ totals }: Row, isClosed: boolean, { closed, liquidity, volume }: Bounds): boolean =>
  (closed === undefined || closed === isClosed) &&
  isWithin(totals.liquidity / 1e6, ...liquidity) &&
  isWithin(totals.volume / 1e6, ...volume)

const FIGURES: Record<Figure, (row: Row) => number> = {
  id: ({ listed }) => listed.number,
  createdat: ({ listed }) => listed.createdAt,
  updatedat: ({ listed }) => listed.updatedAt,
  startdate: ({ listed }) => listed.startsAt,
  enddate: ({ listed }) => listed.endsAt,
  volume: ({ totals }) => totals.volume,
  volume24hr: ({ totals }) => totals.volume24h,
  liquidity: ({ totals }) => totals.liquidity,
}

interface Order {
  order?: Figure[] | undefined
  ascending: boolean
}
const figuresOf = (row: Row, { order = [] }: Order): number[] => [...order, 'id' as const].map((figure) => FIGURES[figure](row))

/** Which of two rows comes first, by their figures. */
function compare(a: readonly number[], b: readonly number[], { ascending }: Order): number {
  for (const [nth, figure] of a.entries()) if (figure !== b[nth]) return ascending ? figure - b[nth]! : b[nth]! - figure
  return 0
}

/** Rows in the order asked for, and equal ones by their numbers, in the order of which all come. */
export function inOrder<R extends Row>(rows: readonly R[], order: Order): readonly R[] {
  if (!order.order?.length) return order.ascending ? rows : rows.toReversed()
  return rows
    .map((row) => ({ row, figures: figuresOf(row, order) }))
    .sort((a, b) => compare(a.figures, b.figures, order))
    .map(({ row }) => row)
}

/** Rows of a list after a cursor, which names the figures of the row before: what moved up or down meanwhile disturbs no other. */
export function pageAfter<R extends Row, Asked extends Order & { limit: number; after_cursor?: string | undefined }>(
  list: string,
  rows: readonly R[],
  { limit, after_cursor, ...asked }: Asked,
): { page: R[]; next_cursor?: string } {
  const cursors = new Cursors(list, asked)
  const place = cursors.place(after_cursor)
  if (place === 'end') return { page: [] }
  if (place !== null && !/^-?\d{1,16}(_-?\d{1,16}){0,4}$/.test(place))
    throw new ServiceError('invalid_payload', { text: 'Invalid next_cursor' })
  const before = place?.split('_').map(Number)
  const rest = inOrder(rows, asked).filter((row) => !before || compare(before, figuresOf(row, asked), asked) < 0)
  const page = rest.slice(0, limit)
  const last = page.at(-1)
  return last && rest.length > limit ? { page, next_cursor: cursors.at(figuresOf(last, asked).join('_')) } : { page }
}
