import { tables } from '@augury/domain/platform/tables'
import { parseUsdc } from '@augury/units/decimal'
import type { TraderTotals } from '@augury/wire/data'
import { LOOKUP_BATCH } from '@augury/wire/limits'
import type { EntityManager } from '@mikro-orm/postgresql'
import { isUnusable } from '../jobs/market-batches.ts'
import type { Ask, Job, Run } from '../jobs/run-job.ts'

const FIRST = '00000000-0000-0000-0000-000000000000'

/** Keeps the trading figures of members in step with the exchange. */
export const usersJob = (exchange: Ask<'getTraders'>): Job => ({
  name: 'users',
  async work(platform, run) {
    const { getTraders } = await exchange()
    while (run.hasTime()) {
      const users = await next(platform.em(), run.cursor ?? FIRST)
      const traders =
        users.length === 0 ? [] : await run.patiently(() => getTraders({ body: { users: users.map(({ address }) => address) } }))
      const isLast = users.length < LOOKUP_BATCH
      const ids = users.map(({ id }) => id)
      const save = async (em: EntityManager) => {
        if (users.length > 0) await write(em, run, users, traders)
      }
      await run.step(isLast ? null : ids.at(-1)!, save, ids)
      run.count('scanned', users.length)
      if (isLast) return
    }
  },
})

async function write(em: EntityManager, run: Run, users: readonly Row[], traders: readonly TraderTotals[]): Promise<void> {
  const byAddress = new Map(traders.map((trader) => [trader.user.toLowerCase(), trader]))
  const seen = users.flatMap(({ id, address }) => {
    const trader = byAddress.get(address)
    try {
      return trader ? [{ id, total_volume: parseUsdc(trader.volume), total_trades: trader.trades }] : []
    } catch (error) {
      if (!isUnusable(error)) throw error
      run.fail(id, error)
      return []
    }
  })
  const changed = await em.execute(UPDATE, [JSON.stringify(seen)])
  run.count('updated', changed.length)
}

const next = (em: EntityManager, after: string) =>
  tables(em).selectFrom('users').select(['id', 'address']).where('id', '>', after).orderBy('id').limit(LOOKUP_BATCH).execute()

type Row = Awaited<ReturnType<typeof next>>[number]

const UPDATE = `
  with seen as (select * from jsonb_to_recordset(?::jsonb) as seen (id uuid, total_volume bigint, total_trades int)),
  locked as (select users.id from users join seen using (id) order by users.id for no key update of users)
  update users set total_volume = seen.total_volume, total_trades = seen.total_trades
  from seen join locked using (id)
  where users.id = seen.id and (users.total_volume, users.total_trades) is distinct from (seen.total_volume, seen.total_trades)
  returning users.id`
