import { anyOf, tables } from '@augury/domain/platform/tables'
import { isRefusedByDatabase } from '@augury/domain/refused'
import { ONE } from '@augury/units/price'
import { LAST_CURSOR } from '@augury/wire/limits'
import type { Market } from '@augury/wire/market'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Hex } from 'viem'
import { addListing } from '../catalogue/store-listing.ts'
import { lockMarkets } from '../events/lock-markets.ts'
import { isUnusable, Unusable } from '../jobs/market-batches.ts'
import type { Ask, Job, Run } from '../jobs/run-job.ts'
import { markShown, shownCreators } from '../settings/shown-creators.ts'
import { type MarketState, toListing, toState } from './exchange-market.ts'
import { adoptStates, databaseTime } from './market-states.ts'
import { SettledPages } from './settled-pages.ts'

/** Markets per step, at least. */
const STEP = 500

/**
 * Goes through the markets of the exchange once: imports those of shown creators that are new, and updates the others. Pages in which nothing
 * can change any more are passed over, so a round is as long as what is open and new, not as all that ever was.
 */
export const eventsJob = (exchange: Ask<'listMarkets'>, own: Hex): Job => {
  const pages = new SettledPages()
  return {
    name: 'events',
    async work(platform, run) {
      const { listMarkets } = await exchange()
      const shown = await shownCreators(platform.em(), own)
      pages.begin([...shown].sort().join(), platform.now())
      await run.step(run.cursor, (em) => markShown(em, shown))
      while (run.hasTime()) {
        const asked_at = await databaseTime(platform.em())
        const { read, next } = await several(run, listMarkets, pages)
        const data = read.flatMap(({ markets }) => markets)
        const markets = data.filter(({ condition_id }) => !run.waits(condition_id))
        let open: ReadonlySet<string> = new Set()
        const write = async (em: EntityManager) => {
          const known = await knownAmong(em, markets)
          await lockMarkets(em, [...known]) // before the events of new ones are stored
          const ours = markets.filter(({ creator, condition_id }) => known.has(condition_id) || shown.has(creator.toLowerCase()))
          await takeIn(
            em,
            run,
            ours.filter(({ condition_id }) => !known.has(condition_id)),
          )
          const states = readStates(run, ours).map((state) => ({ ...state, asked_at }))
          run.count('updated', await adoptStates(em, run, own, states))
          const mayMatter = markets.filter(({ creator }) => creator.toLowerCase() === own.toLowerCase())
          open = await openAmong(em, [...ours, ...mayMatter])
        }
        await run.step(
          next,
          write,
          markets.map(({ condition_id }) => condition_id),
        )
        const isOpen = ({ condition_id }: Market) => open.has(condition_id) || run.waits(condition_id)
        for (const page of read) if (!page.markets.some(isOpen)) pages.settle(page)
        run.count('scanned', data.length)
        if (next === null) return
      }
    },
  }
}

/** A page of the exchange's list: where it begins, and where the next one does; null after the last. */
interface Page {
  cursor: string | null
  next: string | null
  markets: readonly Market[]
}

/** The next pages, enough for one step, and the cursor after them; null after the last. */
async function several(
  run: Run,
  listMarkets: Awaited<ReturnType<Ask<'listMarkets'>>>['listMarkets'],
  pages: SettledPages,
): Promise<{ read: Page[]; next: string | null }> {
  const read: Page[] = []
  let count = 0
  let next = run.cursor
  do {
    const cursor = pages.after(next)
    const query = cursor === null ? {} : { next_cursor: cursor }
    const page = await run.patiently(() => listMarkets({ query }))
    next = page.next_cursor === LAST_CURSOR ? null : page.next_cursor
    read.push({ cursor, next, markets: page.data })
    count += page.data.length
  } while (next !== null && count < STEP)
  return { read, next }
}

/** Those of some markets that may still change: all but those that are resolved here as on the exchange. */
async function openAmong(em: EntityManager, markets: readonly Market[]): Promise<ReadonlySet<string>> {
  const seen = markets.map(({ condition_id, resolution_price: price }) => ({ condition_id, weight: price === null ? null : price * ONE }))
  const rows: { id: string }[] = await em.execute(
    `select seen.condition_id as id from jsonb_to_recordset(?::jsonb) as seen (condition_id text, weight numeric)
     left join market on market.condition_id = seen.condition_id and is_resolved and market.weight = round(seen.weight)
     where market.condition_id is null`,
    [JSON.stringify(seen)],
  )
  return new Set(rows.map(({ id }) => id))
}

/** Returns which of some markets the deployment has, by any creator. */
async function knownAmong(em: EntityManager, markets: readonly Market[]): Promise<Set<string>> {
  const rows = await tables(em)
    .selectFrom('market')
    .select('condition_id as id')
    .where('condition_id', '=', anyOf(markets.map(({ condition_id }) => condition_id)))
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Stores new markets, event by event. One that cannot be stored does not keep out the others. */
async function takeIn(em: EntityManager, run: Run, fresh: readonly Market[]): Promise<void> {
  for (const group of Map.groupBy(fresh, ({ creator, event }) => `${creator}/${event.slug}`).values()) {
    const fail = (error: unknown) => {
      for (const { condition_id } of group) run.fail(condition_id, error)
    }
    try {
      const listing = toListing(group)
      const { stored, findings } = await em.transactional((nested) => addListing(nested, group[0]!.creator, listing, false))
      run.count('stored', stored)
      for (const { text } of findings) fail(new Unusable(text))
    } catch (error) {
      if (!(isUnusable(error) || isRefusedByDatabase(error))) throw error
      fail(error)
    }
  }
}

/** The states of markets, without those that are invalid. */
function readStates(run: Run, markets: readonly Market[]): MarketState[] {
  return markets.flatMap((market) => {
    try {
      return [toState(market)]
    } catch (error) {
      if (!isUnusable(error)) throw error
      run.fail(market.condition_id, error)
      return []
    }
  })
}
