import { setAside, type Treasury } from '../withdrawals/set-aside.ts'
import { moveOn, type WithdrawalRow } from '../withdrawals/withdrawal-row.ts'
import type { Job } from './run-job.ts'

/** Asks the exchange where withdrawals stand that have not ended, and sets aside what nobody knows whether it was. */
export const withdrawalsJob = (treasury: () => Promise<Treasury>): Job => ({
  name: 'withdrawals',
  async work(platform, run) {
    while (run.hasTime()) {
      const [row]: WithdrawalRow[] = await platform
        .em()
        .execute(`select * from withdrawal where status in ('approved', 'sent') and id > coalesce(?::uuid, ?::uuid) order by id limit 1`, [
          run.cursor,
          '00000000-0000-0000-0000-000000000000',
        ])
      if (!row) {
        if (run.cursor !== null) await run.step(null, async () => {})
        return
      }
      const standing = await treasury()
        .then((exchange) => setAside(exchange, row))
        .catch((error) => run.fail(row.id, error))
      run.count('withdrawals', 1)
      await run.step(row.id, async (em) => {
        if (standing && standing.status !== row.status) await moveOn(em, row, standing.status, platform.now())
      })
    }
  },
})
