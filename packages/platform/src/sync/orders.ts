import { NoAnswerError } from '@augury/client/answer'
import type { VenueClient } from '@augury/client/rest'
import { LAST_CURSOR } from '@augury/wire/limits'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Hex } from 'viem'
import { notifyOfEvents } from '../inbox/order-notifications.ts'
import { LeaseLost } from '../jobs/lease.ts'
import type { Job, Run } from '../jobs/run-job.ts'
import type { Platform } from '../site/platform.ts'
import { ifManaging } from '../trading/if-managing.ts'
import { type CheckPage, followLog, LETTER, type LogPlace, LogRewritten } from './log-pages.ts'

/** Members per step, and commands per request. */
const MEMBERS = 200
const PAGE = 500
const FIRST = '00000000-0000-0000-0000-000000000000'

interface Trader {
  id: string
  address: Hex
  seq: string
  epoch: number | null
}

/** Notifies members who trade here of what became of their orders while no stream was connected. Each member has a position in the log. */
export const ordersJob = (treasury: () => Promise<Pick<VenueClient, 'listEvents'>>): Job => ({
  name: 'orders',
  everySeconds: 60,
  async work(platform, run) {
    const exchange = await ifManaging(treasury)
    if (!exchange) return
    await followLog(platform, run, 'orders', (check) => notifyTraders(platform, run, exchange, check))
  },
})

async function notifyTraders(platform: Platform, run: Run, exchange: Pick<VenueClient, 'listEvents'>, check: CheckPage): Promise<void> {
  for (let after = run.cursor ?? FIRST; run.hasTime(); ) {
    const traders: Trader[] = await platform.em().execute(TRADERS, [after, MEMBERS])
    const tried: string[] = []
    const reached: Reached[] = []
    const store = (cursor: string | null, letters: readonly string[] = []) =>
      run.step(cursor, (em) => storeReached(em, reached), [...tried, ...letters])
    try {
      for (const trader of traders) {
        if (!run.hasTime()) break
        await notifyTrader(platform, run, exchange, check, trader).then(
          (place) => reached.push(place),
          (error) => {
            if (error instanceof NoAnswerError || error instanceof LeaseLost || error instanceof LogRewritten) throw error
            run.fail(trader.id, error)
          },
        )
        tried.push(trader.id)
      }
    } catch (error) {
      if (tried.length > 0 && !(error instanceof LeaseLost)) await store(tried.at(-1)!)
      throw error
    }
    if (tried.length === traders.length && traders.length < MEMBERS) return store(null, [LETTER])
    if (tried.length > 0) await store(tried.at(-1)!)
    after = tried.at(-1) ?? after
  }
}

/** How far a member was told. */
interface Reached {
  user_id: string
  seq: number
  epoch: number
}

/** Tells a member of what became of their orders, and returns how far; pages before the last are stored one by one. */
async function notifyTrader(
  platform: Platform,
  run: Run,
  exchange: Pick<VenueClient, 'listEvents'>,
  check: CheckPage,
  { id, address, ...known }: Trader,
): Promise<Reached> {
  for (let place: LogPlace = { epoch: known.epoch, position: Number(known.seq) }; ; ) {
    const page = await exchange.listEvents({ query: { account: address, after: place.position, limit: PAGE } })
    check(place, page)
    await notifyOfEvents(platform, id, page.data)
    run.count('events', page.data.length)
    const reached = { user_id: id, seq: page.seq, epoch: page.epoch }
    if (page.next_cursor === LAST_CURSOR || !run.hasTime()) return reached
    await run.step(run.cursor, (em) => storeReached(em, [reached]))
    place = { epoch: page.epoch, position: page.seq }
  }
}

async function storeReached(em: EntityManager, reached: readonly Reached[]): Promise<void> {
  if (reached.length > 0) await em.execute(REACHED, [JSON.stringify(reached)])
}

const REACHED = `
  insert into notice_cursor (user_id, seq, epoch)
  select user_id, seq, epoch from jsonb_to_recordset(?::jsonb) as reached (user_id uuid, seq bigint, epoch int)
  join users on users.id = user_id order by user_id
  on conflict (user_id) do update set seq = excluded.seq, epoch = excluded.epoch`

const TRADERS = `
  select users.id, users.address, coalesce(seq, 0) as seq, epoch from trading_credential
  join users on users.id = trading_credential.user_id left join notice_cursor on notice_cursor.user_id = users.id
  where set = 'clob' and users.id > ? order by users.id limit ?`
