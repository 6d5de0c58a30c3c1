import type { Locale } from '@augury/wire/platform/settings'
import { feeBpsOf } from '../catalogue/fees.ts'
import type { Listing } from '../catalogue/listing.ts'
import { type Interval, lengthOf } from '../prices/intervals.ts'
import { ORIGINAL } from '../translations/translations.ts'

/** What the market of a window is built from. */
export interface WindowFacts {
  slug: string
  displayName: string
  instrument: string
  interval: Interval
  category: string
  /** The price source, as shown to people. */
  feed: string
  isSimulated: boolean
}

/** Default terms: ticks of 0.01, orders of at least 5 shares, and the midpoint as displayed price. */
const GRID = 100
const MIN_LOTS = 500
const MIDDLE = 5000

const format = (options: Intl.DateTimeFormatOptions, tag = 'en-GB') => {
  const formatter = new Intl.DateTimeFormat(tag, { ...options, timeZone: 'UTC' })
  return (time: number) => formatter.format(new Date(time))
}
const clock = format({ hour: '2-digit', minute: '2-digit' })
const day = format({ day: 'numeric', month: 'long', year: 'numeric' })

/** How a language writes the title of a window: the date, the words for a window of a whole day, and the full title. */
interface TitleWords {
  day: (time: number) => string
  allDay: string
  title: (name: string, day: string, span: string) => string
}

const DAY = { day: 'numeric', month: 'short' } as const
const titleWords: Record<Locale, TitleWords> = {
  en: { day: format(DAY), allDay: 'all day', title: (name, date, span) => `${name} up or down: ${date}, ${span} UTC` },
  es: { day: format(DAY, 'es'), allDay: 'todo el día', title: (name, date, span) => `${name}, ¿sube o baja?: ${date}, ${span} UTC` },
  // Begins with a word of the language, as a text runs the way of its first letter; the time span reads left to right, time zone included.
  ar: {
    day: format(DAY, 'ar-u-nu-latn'),
    allDay: 'طوال اليوم',
    title: (name, date, span) => `صعود ${name} أم هبوطه: ${date}، \u2066${span} UTC\u2069`,
  },
}

const spanOf = ({ interval }: WindowFacts, end: number, allDay: string) =>
  interval === '1d' ? allDay : `${clock(end - lengthOf(interval))}–${clock(end)}`

/** The title of the window of a series that ends at `end`, in a language. */
export function windowTitle(facts: WindowFacts, end: number, locale: Locale): string {
  const words = titleWords[locale]
  return words.title(facts.displayName, words.day(end - lengthOf(facts.interval)), spanOf(facts, end, words.allDay))
}

/** Whether a series names its windows as established clients compute them: `btc-updown-5m-<unix>`, with the second at which they begin. */
const startsInSlug = (series: string): boolean => series.split('-').at(-2) === 'updown'

/** Slug of the event and of the market of a series' window that ends at `end` (Unix milliseconds). */
export function windowSlug({ slug, interval }: Pick<WindowFacts, 'slug' | 'interval'>, end: number): string {
  const named = startsInSlug(slug) ? end - lengthOf(interval) : end
  return `${slug}-${named / 1000}`
}

/** SQL for whether an event is a window that its series opened. Its end is accepted in every series, as older releases named all by it. */
export const isWindowOfSeries = (end: 'end_date' | 'end_time') => `
  event.slug in (
    price_series.slug || '-' || extract(epoch from ${end})::bigint,
    case when price_series.slug like '%-updown-%' then price_series.slug || '-' || extract(epoch from event.start_date)::bigint end
  )`

/** The event of a series' window that ends at `end`: one market, Up or Down. */
export function windowListing(facts: WindowFacts, end: number): Listing {
  const { instrument, category, feed, isSimulated } = facts
  const start = end - lengthOf(facts.interval)
  const slug = windowSlug(facts, end)
  const title = windowTitle(facts, end, ORIGINAL)
  const at = (time: number) => `${clock(time)} UTC on ${day(time)}`
  const rules = [
    `This market is about the price of ${instrument} from ${at(start)} to ${at(end)}.`,
    'It resolves to Up if the price at the end is at or above the price at the start, and to Down otherwise. A winning share pays 1 USDC, a losing one nothing.',
    `Both prices are the settled prices of ${feed} at those times. ${isSimulated ? 'This feed is simulated: its prices are made up. ' : ''}Trading ends with the window; the result is proposed once the prices are settled, and becomes final unless it is disputed in time.`,
    'Should a price be missing or taken back by its source, an operator decides by what the source says in the end.',
  ].join('\n\n')
  const name = category.charAt(0).toUpperCase() + category.slice(1)
  return {
    place: slug,
    slug,
    title,
    negRisk: false,
    tags: [
      { slug: category, label: name },
      { slug: 'up-or-down', label: 'Up or down' },
    ],
    rules,
    iconUrl: '',
    seriesSlug: facts.slug,
    startDate: new Date(start),
    endDate: new Date(end),
    rankingSeed: 0,
    markets: [
      {
        slug,
        question: title,
        shortTitle: spanOf(facts, end, titleWords[ORIGINAL].allDay),
        outcomes: ['Up', 'Down'],
        endTime: new Date(end),
        grid: GRID,
        minLots: MIN_LOTS,
        feeBps: feeBpsOf(category),
        rules,
        resolutionSource: feed,
        resolutionSourceUrl: '',
        iconUrl: '',
        listingPrice: MIDDLE,
        rankingSeed: 0,
      },
    ],
  }
}
