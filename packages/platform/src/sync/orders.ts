import { NoAnswerError } from '@augury/client/answer'
import type { VenueClient } from '@augury/client/rest'
import { LAST_CURSOR } from '@augury/wire/limits'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Hex } from 'viem'
import { notifyOfEvents } from '../notifications/order-notifications.ts'
import type { Platform } from '../platform.ts'
import { ifManaging } from './if-managing.ts'
import { LeaseLost } from './lease.ts'
import { type CheckPage, followLog, LETTER, type LogPlace, LogRewritten } from './log-pages.ts'
import type { Job, Run } from './run-job.ts'

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
    for (const trader of traders) {
      if (!run.hasTime()) return
      await notifyTrader(platform, run, exchange, check, trader).catch((error) => {
        if (error instanceof NoAnswerError || error instanceof LeaseLost || error instanceof LogRewritten) throw error
        run.fail(trader.id, error)
      })
    }
    if (traders.length < MEMBERS) {
      await run.step(null, async () => {}, [LETTER])
      return
    }
    after = traders.at(-1)!.id
  }
}

async function notifyTrader(
  platform: Platform,
  run: Run,
  exchange: Pick<VenueClient, 'listEvents'>,
  check: CheckPage,
  { id, address, ...known }: Trader,
): Promise<void> {
  for (let place: LogPlace = { epoch: known.epoch, position: Number(known.seq) }; run.hasTime(); ) {
    const page = await exchange.listEvents({ query: { account: address, after: place.position, limit: PAGE } })
    check(place, page)
    await notifyOfEvents(platform, id, page.data)
    const write = async (em: EntityManager) => {
      await em.execute(REACHED, [id, page.seq, page.epoch])
    }
    await run.step(id, write, [id])
    run.count('events', page.data.length)
    if (page.next_cursor === LAST_CURSOR) return
    place = { epoch: page.epoch, position: page.seq }
  }
}

const REACHED = `
  insert into notice_cursor (user_id, seq, epoch) values (?, ?, ?)
  on conflict (user_id) do update set seq = excluded.seq, epoch = excluded.epoch`

const TRADERS = `
  select users.id, users.address, coalesce(seq, 0) as seq, epoch from trading_credential
  join users on users.id = trading_credential.user_id left join notice_cursor on notice_cursor.user_id = users.id
  where set = 'clob' and users.id > ? order by users.id limit ?`
