import { anyOf, tables } from '@augury/domain/platform/tables'
import { parseUsdc } from '@augury/units/decimal'
import { LAST_CURSOR, PAGE_MAX } from '@augury/wire/limits'
import type { PublicTrade } from '@augury/wire/trade'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import type { Hex } from 'viem'
import { OPEN_INTEREST } from '../events/event-totals.ts'
import type { Ask, Job, Run } from '../jobs/run-job.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Milliseconds of trades counted per step, and how old a trade must be at least to be counted. */
const WINDOW = 6 * HOUR
const SETTLED = 60_000
/** Version of the counting. Raise it when trades are counted otherwise: the next run then counts all days anew. */
const COUNTING = 2

/** Who created the markets that were traded, which never changes; as long as the process runs. */
type Creators = Map<string, string>

/** Totals of trades within one day, in millionths. */
interface Traded {
  volume: number
  fees: number
  trades: number
}

/**
 * Counts every trade of the deployment's own markets once, on the day it was made, and records open interest and the number of members. What
 * the exchange's history has not reached yet is left to later runs: a time that was counted is never looked at again.
 */
export function figuresJob(exchange: Ask<'listTrades' | 'getStatus' | 'getMarket' | 'listMarkets'>, own: Hex): Job {
  const creators: Creators = new Map()
  return {
    name: 'figures',
    async work(platform, run) {
      const { listTrades, getStatus, getMarket, listMarkets } = await exchange()
      const start = countedUntil(run.cursor) ?? (await begin(run, listMarkets))
      if (start !== null) {
        const counting = { em: platform.em(), run, own, creators, listTrades, getMarket }
        const { lag } = await run.patiently(() => getStatus())
        const end = Math.floor((platform.now().getTime() - SETTLED) / 1000 - lag) * 1000
        for (let from = start; from < end && run.hasTime(); ) {
          // No interval crosses midnight.
          const to = Math.min(end, from + WINDOW, (Math.floor(from / DAY) + 1) * DAY)
          const traded = await count(counting, from, to)
          await run.step(cursorOf(to), (em) => add(em, new Date(from), traded))
          run.count('trades', traded.trades)
          from = to
        }
      }
      await run.step(run.cursor, (em) => look(em, platform.now()))
    },
  }
}

/** The job's cursor: up to when trades are counted, in Unix milliseconds, behind the version of the counting. */
const cursorOf = (until: number): string => `${COUNTING} ${until}`

/** Up to when trades are counted, in Unix milliseconds; null where they are not, or were by another version. */
export function countedUntil(cursor: string | null): number | null {
  const [version, until] = (cursor ?? '').split(' ')
  return Number(version) === COUNTING ? Number(until) : null
}

/** Begins the counting in the hour of the exchange's first market, which is returned in Unix milliseconds; null while there is none. */
async function begin(run: Run, listMarkets: Awaited<ReturnType<Ask<'listMarkets'>>>['listMarkets']): Promise<number | null> {
  const { data } = await run.patiently(() => listMarkets({ query: {} }))
  const [first] = data
  if (!first) return null
  const start = Math.floor(Date.parse(first.created_at) / HOUR) * HOUR
  await run.step(cursorOf(start), async (em) => {
    await tables(em).updateTable('site_day').set({ volume: 0, fees: 0, trades: 0 }).execute()
  })
  return start
}

/** What trades are counted with. */
interface Counting extends Awaited<ReturnType<Ask<'listTrades' | 'getMarket'>>> {
  em: EntityManager
  run: Run
  own: Hex
  creators: Creators
}

/** Totals of the trades in [from, to), whole seconds in Unix milliseconds; `after` and `before` of the request are both exclusive. */
async function count(counting: Counting, from: number, to: number): Promise<Traded> {
  const { run, creators, listTrades } = counting
  const ours = counting.own.toLowerCase()
  const traded: Traded = { volume: 0, fees: 0, trades: 0 }
  const query = { after: from / 1000 - 1, before: to / 1000, limit: PAGE_MAX }
  for (let next_cursor: string | undefined; next_cursor !== LAST_CURSOR; ) {
    const asked = next_cursor
    const page = await run.patiently(() => listTrades({ query: asked === undefined ? query : { ...query, next_cursor: asked } }))
    await learnCreators(counting, page.data)
    for (const { market, usdc_size, fee, timestamp } of page.data) {
      if (timestamp * 1000 < from || creators.get(market) !== ours) continue
      traded.volume += parseUsdc(usdc_size)
      traded.fees += parseUsdc(fee)
      traded.trades++
    }
    next_cursor = page.next_cursor
  }
  return traded
}

/**
 * Learns who created the markets of trades. Of those that the deployment does not have, or not yet, the exchange is asked once: a market of its own
 * that was not made here is traded before the next round brings it.
 */
async function learnCreators({ em, run, creators, getMarket }: Counting, trades: readonly PublicTrade[]): Promise<void> {
  const unknown = new Set(trades.map(({ market }) => market).filter((id) => !creators.has(id)))
  if (unknown.size === 0) return
  const rows = await tables(em)
    .selectFrom('market')
    .innerJoin('event', 'event.id', 'market.event_id')
    .select(['condition_id as id', 'creator'])
    .where('condition_id', '=', anyOf([...unknown]))
    .execute()
  for (const { id, creator } of rows) {
    creators.set(id, creator)
    unknown.delete(id)
  }
  for (const id of unknown) {
    const { creator } = await run.patiently(() => getMarket({ params: { condition_id: id } }))
    creators.set(id, creator.toLowerCase())
  }
}

async function add(em: EntityManager, from: Date, { volume, fees, trades }: Traded): Promise<void> {
  if (trades === 0) return
  await tables(em)
    .insertInto('site_day')
    .values({ day: from.toISOString().slice(0, 10), volume, fees, trades })
    .onConflict((conflict) =>
      conflict.column('day').doUpdateSet((eb) => ({
        volume: eb('site_day.volume', '+', eb.ref('excluded.volume')),
        fees: eb('site_day.fees', '+', eb.ref('excluded.fees')),
        trades: eb('site_day.trades', '+', eb.ref('excluded.trades')),
      })),
    )
    .execute()
}

async function look(em: EntityManager, now: Date): Promise<void> {
  const seen = { open_interest: sql<string>`(${sql.raw(OPEN_INTEREST)})`, members: sql<number>`(select count(*) from users)` }
  await tables(em)
    .insertInto('site_day')
    .values({ day: now.toISOString().slice(0, 10), ...seen })
    .onConflict((conflict) =>
      conflict
        .column('day')
        .doUpdateSet((eb) => ({ open_interest: eb.ref('excluded.open_interest'), members: eb.ref('excluded.members') })),
    )
    .execute()
}
