import { DecimalError, parseLots } from '@augury/units/decimal'
import { lots } from '@augury/units/lots'
import { isGrid, ONE } from '@augury/units/price'
import { outcomeNames, slug, webAddress } from '@augury/wire/condition-request'
import { visible } from '@augury/wire/text'
import { z } from 'zod'

/** Defaults: a tick of 0.01, and orders of at least 5 shares. */
export const USUAL_GRID = 100
export const USUAL_MIN_LOTS = lots(500)
const MOST_MIN_LOTS = 100_000_000

/** A number in any notation of JSON, also as text. */
const number = z.union(
  [
    z.number(),
    z
      .string()
      .trim()
      .regex(/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i)
      .transform(Number)
      .pipe(z.number()),
  ],
  'expected a number',
)
const amount = number.pipe(z.number().min(0).max(1e15))
/** A text of which something can be seen. */
const line = z.string().overwrite(visible).trim().min(1)
const label = line.max(100)
const flag = z.union(
  [
    z.boolean(),
    z
      .string()
      .trim()
      .toLowerCase()
      .pipe(z.enum(['true', 'false', '1', '0', 'yes', 'no'])),
    z.literal([0, 1]),
  ],
  'expected true or false',
)
const isSet = flag.transform((value) => value === true || value === 1 || value === 'true' || value === '1' || value === 'yes')

/** Times are ISO 8601. Sources also write a space for the T, and leave out the time, its zone, or the minutes of the zone. */
const date = z
  .string()
  .trim()
  .transform((text) =>
    text
      .replace(/^(\d{4}-\d{2}-\d{2}) (?=\d)/, '$1T')
      .replace(/([+-]\d{2})$/, (zone) => (text.includes(':') ? `${zone}:00` : zone))
      .replace(/(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?)$/, '$1Z'),
  )
  .pipe(z.union([z.iso.datetime({ offset: true }), z.iso.date()], 'expected an ISO 8601 date'))
  .transform((text) => new Date(text))
  .refine((time) => time.getUTCFullYear() >= 1000 && time.getUTCFullYear() <= 9000, 'expected a year of four digits')

/** A list, which sources also give as JSON inside a string. */
const listInText = z.unknown().transform((value, context) => {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value) as unknown
  } catch {
    context.addIssue({ code: 'custom', message: 'not JSON inside the string' })
    return z.NEVER
  }
})

const grid = number
  .transform((tick) => Math.round(tick * ONE))
  .refine(isGrid, 'not one of the ticks 0.1, 0.01, 0.005, 0.0025, 0.001, 0.0001')

const minLots = number.transform((shares, context) => {
  try {
    const count = parseLots(String(shares))
    if (count >= 1 && count <= MOST_MIN_LOTS) return count
    context.addIssue({ code: 'custom', message: 'not a size an order can have' })
    return z.NEVER
  } catch (error) {
    if (!(error instanceof DecimalError)) throw error
    context.addIssue({ code: 'custom', message: 'not a size in hundredths of a share' })
    return z.NEVER
  }
})

/** Texts that pages show with line breaks. */
const rules = z.string().trim().max(20_000)

/** What the source says of whether it trades. */
const state = {
  active: isSet,
  closed: isSet,
  archived: isSet,
  acceptingOrders: isSet,
  enableOrderBook: isSet,
  closedTime: date,
  umaResolutionStatus: z.string(),
}

/** Without these a market cannot be stored. */
export const marketCore = z.object({
  question: line.max(1000),
  slug,
  outcomes: listInText.pipe(z.tuple([label, label], 'expected two labels')).pipe(outcomeNames),
})

/** A price of Yes (0..1) at a time in Unix seconds: the shape in which established price histories answer. */
const pastPrice = z.object({ t: number.pipe(z.number().min(0).max(1e11)), p: number.pipe(z.number().min(0).max(1)) })
const MOST_PAST_PRICES = 20_000

/** What a market can do without. */
export const marketExtras = {
  groupItemTitle: z.string().trim().max(200),
  outcomePrices: listInText.pipe(z.tuple([number, number], 'expected two numbers')),
  priceHistory: listInText.pipe(z.array(pastPrice).max(MOST_PAST_PRICES)),
  volumeNum: amount,
  endDate: date,
  orderPriceMinTickSize: grid,
  orderMinSize: minLots,
  description: rules,
  resolutionSource: webAddress,
  resolutionSourceName: line.max(500),
  icon: webAddress,
  image: webAddress,
  negRisk: isSet,
  ...state,
}

export const tagCore = z.object({ slug: slug.max(80), label: line.max(80) })

/** Marks of a tag that its source does not show. */
export const tagExtras = { forceHide: isSet, hidden: isSet, isHidden: isSet, forceShow: isSet }

/** Without these an event cannot be stored. Whether one of its markets wins is no detail. */
export const eventCore = z.object({
  slug,
  title: line.max(400),
  negRisk: isSet.nullish(),
  enableNegRisk: isSet.nullish(),
  markets: listInText.pipe(z.array(z.unknown()).min(1, 'no markets').max(1000)),
})

/** What an event can do without. */
export const eventExtras = {
  startDate: date,
  endDate: date,
  negRiskAugmented: isSet,
  volume: amount,
  description: rules,
  resolutionSource: webAddress,
  resolutionSourceName: line.max(500),
  icon: webAddress,
  image: webAddress,
  tags: listInText.pipe(z.array(z.unknown()).max(50)),
  hidden: isSet,
  isHidden: isSet,
  forceHide: isSet,
  forceShow: isSet,
  ...state,
}
