import type { EntityManager } from '@mikro-orm/postgresql'
import type { Job, Run } from '../jobs/run-job.ts'
import type { Platform } from '../site/platform.ts'
import { cancelledAmong } from '../withdrawals/claims.ts'
import { type Standing, setAside, type Treasury } from '../withdrawals/set-aside.ts'
import { ASKED_ALONE, claim, moveOn, referenceOf, type WithdrawalRow } from '../withdrawals/withdrawal-row.ts'

/**
 * Passes on withdrawals whose wait is over, asks the exchange for the status of unfinished ones, and repeats requests of unknown outcome
 * once no earlier one can still arrive.
 */
export const withdrawalsJob = (treasury: () => Promise<Treasury>): Job => ({
  name: 'withdrawals',
  everySeconds: 15,
  async work(platform, run) {
    while (run.hasTime()) {
      const [next]: WithdrawalRow[] = await platform.em().execute(NEXT, bounds(platform.now(), run.cursor))
      if (!next) {
        if (run.cursor !== null) await run.step(null, async () => {})
        return
      }
      const row = next.status === 'sent' ? next : await take(platform, run, next)
      const standing =
        row &&
        (await treasury()
          .then((exchange) => setAside(exchange, row))
          .catch((error) => run.fail(row.id, error)))
      run.count('withdrawals', 1)
      const write = async (em: EntityManager) => {
        if (row && standing && standing.status !== row.status) await moveOn(em, row, await endingOf(em, row, standing), platform.now())
      }
      await run.step(next.id, write, [next.id])
    }
  },
})

/** The status of a withdrawal: one that was returned because its member cancelled it is cancelled. */
async function endingOf(em: EntityManager, row: WithdrawalRow, { status }: Standing): Promise<Standing['status']> {
  const ref = referenceOf(row)
  return status === 'returned' && (await cancelledAmong(em, [ref])).has(ref) ? 'cancelled' : status
}

/** Claims the right to ask. Null when its member cancelled it meanwhile, or another process moved it on. */
async function take(platform: Platform, run: Run, row: WithdrawalRow): Promise<WithdrawalRow | null> {
  let taken: WithdrawalRow | null = null
  await run.step(run.cursor, async (em) => {
    const now = platform.now()
    taken = row.status === 'requested' ? await moveOn(em, row, 'approved', now) : await claim(em, row, now)
  })
  return taken
}

const bounds = (now: Date, cursor: string | null) => [new Date(now.getTime() - ASKED_ALONE), now, cursor, cursor]

const NEXT = `
  select * from withdrawal
  where (status = 'sent' or status = 'approved' and updated_at <= ? or status = 'requested' and held_until <= ? and not needs_admins)
    and (?::uuid is null or id > ?::uuid)
  order by id limit 1`
