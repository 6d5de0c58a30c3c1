import { BadAnswerError } from '@augury/client/answer'
import type { VenueClient } from '@augury/client/rest'
import { anyOf, tables } from '@augury/domain/platform/tables'
import { LOTS_PER_SHARE } from '@augury/units/lots'
import { PAGE_MAX } from '@augury/wire/limits'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Run } from '../jobs/run-job.ts'
import { notifyAll, type Told } from '../notifications/notify.ts'
import type { Platform } from '../site/platform.ts'

/** The smallest holding. */
const LEAST = '0.01'
/** Members notified per step. */
const SET = 500
/** How often pages are read again because holders left the list meanwhile, before the market is left to the next run. */
const MOST_STEPS_BACK = 1000

/** What a member holds of a market's two outcomes, in lots. */
export type Held = [yes: number, no: number]

type Holders = Awaited<ReturnType<VenueClient['listHolders']>>[number]['holders']

/** The exchange operations that tell who holds shares. */
export type HoldersExchange = Pick<VenueClient, 'getStatus' | 'listHolders'>

type Message = Omit<Told, 'source' | 'at'>

/** News of a market. A member is notified of a `source` once. */
export interface MarketNews {
  source: string
  conditionId: string
  eventId: string
  toHolder(held: Held): Message
  /** For those who saved the event or commented on it; null when there is nothing to say to them. */
  toWatcher: Message | null
}

/**
 * Notifies every member who holds shares of a market, and then those who saved its event or commented on it. Members are notified in sets,
 * each stored at once: after a crash, or when there is no time left, those who were notified are left out. False while members are left, or
 * while the exchange's history has not reached the present: it is too early to say who holds what.
 */
export async function notifyMembers(platform: Platform, run: Run, exchange: HoldersExchange, news: MarketNews): Promise<boolean> {
  const { seq, projected_seq } = await exchange.getStatus()
  if (projected_seq < seq && !(await hasCaughtUp(exchange, seq))) return false
  const members = [...(await membersWhoHold(platform, exchange, news.conditionId, news.source))]
  for (let first = 0; first < members.length; first += SET) {
    if (first > 0 && !run.hasTime()) return false
    await store(
      platform,
      run,
      news.source,
      members.slice(first, first + SET).map(([id, held]) => [id, news.toHolder(held)] as const),
    )
  }
  return news.toWatcher === null || notifyWatchers(platform, run, news, news.toWatcher)
}

async function notifyWatchers(platform: Platform, run: Run, { eventId, source }: MarketNews, message: Message): Promise<boolean> {
  for (let after: string | null = null; ; ) {
    if (after !== null && !run.hasTime()) return false
    const rows = await watchersAfter(platform.em(), eventId, after, source)
    if (rows.length > 0)
      await store(
        platform,
        run,
        source,
        rows.map(({ id }) => [id, message] as const),
      )
    if (rows.length < SET) return true
    after = rows.at(-1)!.id
  }
}

async function store(platform: Platform, run: Run, source: string, messages: readonly (readonly [string, Message])[]): Promise<void> {
  const at = platform.now()
  await run.step(null, async (em) => {
    run.count(
      'told',
      await notifyAll(
        em,
        messages.map(([id, message]) => [id, { ...message, source, at }] as const),
      ),
    )
  })
}

/** The members who hold shares of a market and were not notified yet, by id. Of other holders nothing is kept. */
async function membersWhoHold(
  platform: Platform,
  exchange: HoldersExchange,
  conditionId: string,
  source: string,
): Promise<Map<string, Held>> {
  const members = new Map<string, Held>()
  for await (const holders of pagesOfHolders(exchange, conditionId)) {
    const addresses = [...new Set(holders.map(({ proxyWallet }) => proxyWallet.toLowerCase()))]
    const rows = await unnotified(platform.em(), addresses, source)
    const ids = new Map(rows.map(({ id, address }) => [address, id]))
    for (const { proxyWallet, outcomeIndex, amount } of holders) {
      const id = ids.get(proxyWallet.toLowerCase())
      if (id === undefined) continue
      const held: Held = members.get(id) ?? [0, 0]
      held[outcomeIndex] = Math.round(amount * LOTS_PER_SHARE)
      members.set(id, held)
    }
  }
  return members
}

/**
 * The holders of both outcomes of a resolved market, largest first. Holders only leave the list, as they claim by themselves, and then
 * those behind them move up. So a page begins with the last holder of the one before, and where others moved past that place, the page
 * before is read again.
 */
async function* pagesOfHolders({ listHolders }: HoldersExchange, conditionId: string): AsyncGenerator<Holders> {
  const last: [Holders[number] | null, Holders[number] | null] = [null, null]
  const ended = [false, false]
  for (let offset = 0, back = 0; ended.includes(false); ) {
    const tokens = await listHolders({ query: { market: conditionId, limit: PAGE_MAX, offset, minBalance: LEAST } })
    const open = tokens.flatMap(({ holders }, outcome) => (ended[outcome] ? [] : [{ holders, outcome }]))
    if (offset > 0 && open.some(({ holders, outcome }) => isPast(holders[0], last[outcome]!))) {
      if (++back > MOST_STEPS_BACK) throw new BadAnswerError('the holders of a market are not listed in their order')
      offset = Math.max(0, offset - PAGE_MAX)
      continue
    }
    for (const { holders, outcome } of open) {
      yield holders
      last[outcome] = holders.at(-1) ?? null
      ended[outcome] = holders.length < PAGE_MAX
    }
    offset += PAGE_MAX - 1
  }
}

/** Whether a page that begins with `first` may lack holders who follow `last`. */
function isPast(first: Holders[number] | undefined, last: Holders[number]): boolean {
  if (!first) return true
  if (first.amount !== last.amount) return first.amount < last.amount
  return first.proxyWallet.toLowerCase() > last.proxyWallet.toLowerCase()
}

/** Reads once more after a pause: history lags by a moment. */
async function hasCaughtUp(exchange: HoldersExchange, seq: number): Promise<boolean> {
  await new Promise((resolve) => setTimeout(resolve, 100))
  return (await exchange.getStatus()).projected_seq >= seq
}

const unnotified = (em: EntityManager, addresses: readonly string[], source: string) =>
  tables(em)
    .selectFrom('users')
    .select(['id', 'address'])
    .where('address', '=', anyOf(addresses))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('notification').whereRef('user_id', '=', 'users.id').where('source', '=', source))),
    )
    .execute()

const watchersAfter = (em: EntityManager, event: string, after: string | null, source: string) => {
  const db = tables(em)
  return db
    .selectFrom('users')
    .select('users.id')
    .where(
      'id',
      'in',
      db
        .selectFrom('bookmark')
        .select('user_id')
        .where('event_id', '=', event)
        .union(db.selectFrom('comment').select('user_id').where('event_id', '=', event).where('deleted_at', 'is', null)),
    )
    .$if(after !== null, (query) => query.where('id', '>', after))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('notification').whereRef('user_id', '=', 'users.id').where('source', '=', source))),
    )
    .orderBy('id')
    .limit(SET)
    .execute()
}
