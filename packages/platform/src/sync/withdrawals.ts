import type { EntityManager } from '@mikro-orm/postgresql'
import type { Platform } from '../platform.ts'
import { setAside, type Treasury } from '../withdrawals/set-aside.ts'
import { moveOn, type WithdrawalRow } from '../withdrawals/withdrawal-row.ts'
import type { Job, Run } from './run-job.ts'

/**
 * Lets withdrawals go on that have waited, asks the exchange where those stand that have not ended, and sets aside what nobody knows
 * whether it was.
 */
export const withdrawalsJob = (treasury: () => Promise<Treasury>): Job => ({
  name: 'withdrawals',
  async work(platform, run) {
    while (run.hasTime()) {
      const [next]: WithdrawalRow[] = await platform.em().execute(NEXT, [platform.now(), run.cursor, run.cursor])
      if (!next) {
        if (run.cursor !== null) await run.step(null, async () => {})
        return
      }
      const row = next.status === 'requested' ? await release(platform, run, next) : next
      const standing =
        row &&
        (await treasury()
          .then((exchange) => setAside(exchange, row))
          .catch((error) => run.fail(row.id, error)))
      run.count('withdrawals', 1)
      const write = async (em: EntityManager) => {
        if (row && standing && standing.status !== row.status) await moveOn(em, row, standing.status, platform.now())
      }
      await run.step(next.id, write, [next.id])
    }
  },
})

/** Null when its member cancelled it meanwhile. */
async function release(platform: Platform, run: Run, row: WithdrawalRow): Promise<WithdrawalRow | null> {
  let moved: WithdrawalRow | null = null
  await run.step(run.cursor, async (em) => {
    moved = await moveOn(em, row, 'approved', platform.now())
  })
  return moved
}

const NEXT = `
  select * from withdrawal
  where (status in ('approved', 'sent') or status = 'requested' and held_until <= ?) and (?::uuid is null or id > ?::uuid)
  order by id limit 1`
