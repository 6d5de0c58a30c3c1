import { anyOf, tables } from '@augury/domain/platform/tables'
import { ONE } from '@augury/units/price'
import { LOCALES } from '@augury/wire/platform/settings'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Hex } from 'viem'
import type { RegisterCondition } from '../catalogue/register-condition.ts'
import { registerMarkets } from '../catalogue/register-markets.ts'
import { addListing } from '../catalogue/store-listing.ts'
import { isDue } from '../jobs/failures.ts'
import type { Job, Run } from '../jobs/run-job.ts'
import { type MarketWindow, marketWindow, type Series, settledPrices } from '../prices/choose-prices.ts'
import { alignDown, lengthOf } from '../prices/intervals.ts'
import { readMarks } from '../prices/read-marks.ts'
import { confirmResolution, flagResolution, proposeResolution } from '../resolution/decide.ts'
import { eachItem } from '../resolution/each-item.ts'
import type { Platform } from '../site/platform.ts'
import { keepTranslation, ORIGINAL } from '../translations/translations.ts'
import { dropEmpty, registeredAmong } from './stored-windows.ts'
import { isWindowOfSeries, type WindowFacts, windowListing, windowSlug, windowTitle } from './window-listing.ts'

/** Most markets per kind of work in one run. */
const BATCH = 200
/** A window that has begun is only opened while no more than this share of it has passed. */
const WORTHWHILE = 0.5
/** A price missing for this long, in milliseconds, is left to people. */
const PATIENCE_MS = 86_400_000
/** Largest relative difference of the two sources that needs no review. */
export const TOLERANCE = 0.005

/** Runs recurring series: opens the markets of the next windows, proposes results of ended ones from the prices, and confirms them. */
export const seriesJob = (register: RegisterCondition, own: Hex): Job => ({
  name: 'series',
  everySeconds: 10,
  async work(platform, run) {
    await openWindows(platform, run, register, own)
    const now = platform.now()
    await dropMissed(platform, run, own, now)
    await each(platform, run, own, ENDED, now, (em, market) => propose(em, run, market, now))
    await each(platform, run, own, DUE, now, (em, market) => confirm(em, run, market, now))
  },
})

interface SeriesRow extends Omit<WindowFacts, 'feed' | 'isSimulated' | 'displayName'> {
  display_name: string
  ahead: number
  feed: string
  is_simulated: boolean
  checked_at: string
}

/** Stores and registers the market of the running window and of those after it. A series without a price in the window waits. */
async function openWindows(platform: Platform, run: Run, register: RegisterCondition, own: Hex): Promise<void> {
  const rows: SeriesRow[] = await platform.em().execute(RECURRING)
  for (const { display_name: displayName, ahead, feed, is_simulated: isSimulated, checked_at, ...series } of rows) {
    const length = lengthOf(series.interval)
    const now = platform.now().getTime()
    if (now - new Date(checked_at).getTime() > length) {
      run.count('silent', 1)
      continue
    }
    const running = alignDown(now, series.interval) + length
    const ends = Array.from({ length: ahead + 1 }, (_, index) => running + index * length).filter((end) => end - now >= length * WORTHWHILE)
    const bySlug = new Map(ends.map((end) => [windowSlug(series, end), end]))
    const done = await registeredAmong(platform.em(), [...bySlug.keys()])
    for (const { slug } of done) bySlug.delete(slug)
    await eachItem(run, [...bySlug.keys()], async (slug) => {
      const facts = { ...series, displayName, feed, isSimulated }
      await run.step(null, (em) => store(em, own, facts, bySlug.get(slug)!, platform.now()))
      await registerMarkets(platform, own, register, undefined, slug)
      run.count('opened', 1)
    })
  }
}

/**
 * Removes the windows that ended before the exchange knew of their market, as it did not answer: they could not be traded. One that it knows
 * of after all comes back with its list of markets.
 */
async function dropMissed(platform: Platform, run: Run, own: Hex, now: Date): Promise<void> {
  const missed: { id: string }[] = await platform.em().execute(MISSED, [own.toLowerCase(), now])
  if (missed.length === 0) return
  const ids = missed.map(({ id }) => id)
  await run.step(null, async (em) => {
    const unknown = await tables(em)
      .deleteFrom('market')
      .where('event_id', '=', anyOf(ids))
      .where('registered_at', 'is', null)
      .returning('event_id')
      .execute()
    await dropEmpty(em, ids)
    run.count('missed', unknown.length)
  })
}

/** Stores the event of a window, with its title in every language. */
async function store(em: EntityManager, own: Hex, facts: WindowFacts, end: number, now: Date): Promise<void> {
  const listing = windowListing(facts, end)
  await addListing(em, own, listing, true)
  const event = await tables(em)
    .updateTable('event')
    .set((eb) => ({
      series_recurrence: eb.selectFrom('price_series').select('interval').whereRef('price_series.slug', '=', 'series_slug'),
    }))
    .where('slug', '=', listing.slug)
    .returning('id')
    .executeTakeFirst()
  if (!event) return // its market belongs to another event: registering it reports the fault
  for (const locale of LOCALES) {
    if (locale === ORIGINAL) continue
    const text = windowTitle(facts, end, locale)
    await keepTranslation(em, { kind: 'event', id: event.id }, { locale, text, byPerson: false }, now)
  }
}

type EndedRow = { condition_id: string; start_date: string; end_time: string; closed_at: string } & Pick<
  EndedMarket,
  'proposed_weight' | 'resolution_source'
> &
  EndedMarket['series']

interface EndedMarket {
  condition_id: string
  series: Series & { feed: string | null }
  window: MarketWindow
  /** When trading ended here: later than the window where the worker was down. */
  closedAt: number
  proposed_weight: number | null
  /** The feed named by the market's rules. */
  resolution_source: string
}

/** Processes every market of a list, each in a step of its own. */
async function each(
  platform: Platform,
  run: Run,
  own: Hex,
  list: string,
  now: Date,
  act: (em: EntityManager, market: EndedMarket) => Promise<void>,
): Promise<void> {
  const rows: EndedRow[] = await platform.em().execute(list, [own.toLowerCase(), now, now, now, now, BATCH])
  const markets = new Map(
    rows.map(({ condition_id, start_date, end_time, closed_at, proposed_weight, resolution_source, ...series }) => {
      const window = marketWindow(series.interval, new Date(end_time).getTime(), new Date(start_date).getTime(), null)
      const closedAt = new Date(closed_at).getTime()
      return [condition_id, { condition_id, series, window, closedAt, proposed_weight, resolution_source }]
    }),
  )
  await eachItem(run, [...markets.keys()], (id) => run.step(null, (em) => act(em, markets.get(id)!)))
}

/** The result by the prices: Up pays when the close is at or above the open. Null while one of them is missing. */
async function judge(em: EntityManager, { series, window }: EndedMarket): Promise<{ weight: number; note: string } | null> {
  const prices = settledPrices(series, window, await readMarks(em, series, window, window.end))
  if (!prices) return null
  const { opening, closing } = prices
  const note = `${series.instrument} opened at ${opening} and closed at ${closing}, says ${series.feed ?? series.source}.`
  return { weight: closing >= opening ? ONE : 0, note }
}

async function propose(em: EntityManager, run: Run, market: EndedMarket, now: Date): Promise<void> {
  const { condition_id: conditionId, series, window, closedAt } = market
  const by = { kind: 'series', slug: series.slug } as const
  if (await isOfAnotherFeed(em, run, market, now)) return
  const result = await judge(em, market)
  if (!result) {
    const isHopeless = now.getTime() - Math.max(window.end, closedAt) > PATIENCE_MS
    if (isHopeless) await flagResolution(em, by, { conditionId, flagged: true, note: 'A price is missing.' }, now)
    run.count('waiting', 1)
    return
  }
  const row = await tables(em)
    .selectFrom('price_series')
    .select('dispute_seconds')
    .where('slug', '=', series.slug)
    .executeTakeFirstOrThrow()
  await proposeResolution(em, by, { conditionId, ...result, disputeSeconds: row.dispute_seconds }, now)
  const apart = await sourcesApart(em, market)
  if (apart !== null) await flagResolution(em, by, { conditionId, flagged: true, note: apart }, now)
  run.count('proposed', 1)
}

/**
 * Flags markets whose rules name another feed than the series reads now: traders relied on the rules, and the two prices could come from
 * different feeds.
 */
async function isOfAnotherFeed(em: EntityManager, run: Run, market: EndedMarket, now: Date): Promise<boolean> {
  const { condition_id: conditionId, series, resolution_source: named } = market
  if (series.feed === null || series.feed === named) return false
  const note = `The rules name ${named}; the series reads ${series.feed} now.`
  await flagResolution(em, { kind: 'series', slug: series.slug }, { conditionId, flagged: true, note }, now)
  run.count('waiting', 1)
  return true
}

/**
 * Confirms proposals that the prices still support. If the source corrected its prices, or the other source is too far from them by now, the
 * market is flagged for review. Who removed that flag has seen both prices: the same difference is not reported again.
 */
async function confirm(em: EntityManager, run: Run, market: EndedMarket, now: Date): Promise<void> {
  const { condition_id: conditionId, series } = market
  const by = { kind: 'series', slug: series.slug } as const
  if (await isOfAnotherFeed(em, run, market, now)) return
  const result = await judge(em, market)
  if (result?.weight === market.proposed_weight) {
    const apart = await sourcesApart(em, market)
    if (apart !== null && !(await wasFlagged(em, conditionId, apart))) {
      await flagResolution(em, by, { conditionId, flagged: true, note: apart }, now)
      run.count('waiting', 1)
      return
    }
    await confirmResolution(em, by, { conditionId, note: result.note }, now)
    run.count('confirmed', 1)
    return
  }
  await flagResolution(em, by, { conditionId, flagged: true, note: `The source corrected itself. ${result?.note ?? ''}`.trim() }, now)
  run.count('corrected', 1)
}

/** Describes the difference from the other source when it is too large; null when it agrees or has no price. */
async function sourcesApart(em: EntityManager, { series, window }: EndedMarket): Promise<string | null> {
  const other = series.source === 'oracle_a' ? 'oracle_b' : 'oracle_a'
  const ours = settledPrices(series, window, await readMarks(em, series, window, window.end))
  const theirs = settledPrices(series, window, await readMarks(em, series, window, window.end, other))
  if (!ours || !theirs) return null
  const far = Math.max(Math.abs(theirs.opening / ours.opening - 1), Math.abs(theirs.closing / ours.closing - 1))
  return far > TOLERANCE ? `The other source says ${theirs.opening} and ${theirs.closing}.` : null
}

const wasFlagged = async (em: EntityManager, conditionId: string, note: string): Promise<boolean> =>
  (await tables(em)
    .selectFrom('resolution_step')
    .select('id')
    .where('market_condition_id', '=', conditionId)
    .where('step', '=', 'flagged')
    .where('note', '=', note)
    .executeTakeFirst()) !== undefined

const RECURRING = `
  select slug, display_name, price_series.instrument, price_series.interval, category, ahead, feed.name as feed, feed.simulated as is_simulated, checked_at
  from price_series join price_feed feed using (source, instrument, interval)
  where enabled and recurring and checked_at is not null
  order by slug`

const MISSED = `
  select event.id from event join price_series on price_series.slug = series_slug
  where event.status = 'archived' and creator = ? and end_date <= ? and ${isWindowOfSeries('end_date')}
    and exists (select from market where event_id = event.id and registered_at is null)`

/** Windows opened by this job. An event that an admin ties to a series for its chart is decided by its own rules. */
const MARKETS = `
  select condition_id, event.start_date, end_time, proposed_weight, resolution_source, price_series.slug, price_series.instrument,
    price_series.interval, price_series.source,
    (select closed_at from settlement where market_condition_id = condition_id) as closed_at, (select name from price_feed feed where (feed.source, feed.instrument, feed.interval)
      = (price_series.source, price_series.instrument, price_series.interval)) as feed
  from market join event on event.id = event_id join price_series on price_series.slug = event.series_slug
  where event.creator = ? and ${isDue('series', 'condition_id')}
    and ${isWindowOfSeries('end_time')}
    and registered_at is not null and not is_resolved and end_time <= ? and not resolution_paused and event.start_date is not null`

/** Whether both prices are known. Windows of a silent source queue behind all others. */
const PRICED = `(
    exists (select from price_mark mark where (mark.source, mark.instrument, mark.interval, mark.window_end)
      = (price_series.source, price_series.instrument, price_series.interval, end_time))
    and exists (select from price_mark mark where (mark.source, mark.instrument, mark.window_end)
      = (price_series.source, price_series.instrument, event.start_date)
      and mark.interval in (price_series.interval, case price_series.interval when '1d' then '5m' end)))`

/**
 * Nothing is proposed while the market still trades. A series proposes once: after an operator withdraws its proposal, the market is the
 * operator's.
 */
const ENDED = `${MARKETS} and resolution_status = 'pending' and not resolution_flagged
  and exists (select from settlement where market_condition_id = condition_id and closed_at is not null)
  and end_time + settlement_seconds * interval '1 second' <= ?
  and not exists (select from resolution_step where market_condition_id = condition_id and step = 'proposed' and actor_kind = 'series')
  order by ${PRICED} desc, end_time limit ?`

const DUE = `${MARKETS} and resolution_status = 'proposed' and not resolution_flagged and resolution_deadline_at <= ?
  and (select actor_kind from resolution_step where market_condition_id = condition_id and step = 'proposed' order by at desc, id desc limit 1) = 'series'
  order by end_time limit ?`
