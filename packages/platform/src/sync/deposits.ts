import type { VenueClient } from '@augury/client/rest'
import { anyOf, tables } from '@augury/domain/platform/tables'
import type { Output } from '@augury/wire/operation'
import type { operatorOperations } from '@augury/wire/operations/operator'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Job } from '../jobs/run-job.ts'
import { inDollars } from '../notifications/figures.ts'
import { notifyAll, type Told } from '../notifications/notify.ts'
import { ifManaging } from '../trading/if-managing.ts'
import { readLog } from './log-pages.ts'

type Deposit = Output<typeof operatorOperations.listDeposits>['data'][number]

/** Notifies members of deposits from any source. */
export const depositsJob = (treasury: () => Promise<Pick<VenueClient, 'listDeposits'>>): Job => ({
  name: 'deposits',
  everySeconds: 15,
  async work(platform, run) {
    const exchange = await ifManaging(treasury)
    if (!exchange) return
    await readLog(platform, run, { job: 'deposits', counter: 'deposits' }, (query) => exchange.listDeposits({ query }), notifyDepositors)
  },
})

async function notifyDepositors(em: EntityManager, deposits: readonly Deposit[]): Promise<void> {
  if (deposits.length === 0) return
  const members = await tables(em)
    .selectFrom('users')
    .select(['id', 'address', 'created_at'])
    .where('address', '=', anyOf([...new Set(deposits.map(({ address }) => address.toLowerCase()))]))
    .execute()
  const byAddress = new Map(members.map((member) => [member.address, member]))
  const told = deposits.flatMap(({ seq, address, amount, timestamp_iso }): [string, Told][] => {
    const member = byAddress.get(address.toLowerCase())
    const at = new Date(timestamp_iso)
    if (!member || at < member.created_at) return []
    const figures = { description: inDollars(Number(amount)), metadata: { amount, seq } }
    const link = { type: 'profile', target: 'activity' } as const
    return [
      [member.id, { source: `deposit:${seq}`, category: 'general', kind: 'deposit', title: 'Deposit received', ...figures, link, at }],
    ]
  })
  await notifyAll(em, told)
}
