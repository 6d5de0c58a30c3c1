import type { Operator } from '../exchange/operator-client.ts'
import type { Job } from '../jobs/run-job.ts'
import { advance, type Deploying, underway } from '../proxy-wallet/advance.ts'

/** Members per step. */
const BATCH = 200
const FIRST = '00000000-0000-0000-0000-000000000000'

/** Registers proxy wallets that were signed for while the exchange was away, and follows their deployment where a chain is configured. */
export const proxyWalletsJob = (operator: () => Promise<Operator>, chain: Deploying): Job => ({
  name: 'proxy_wallets',
  everySeconds: 30,
  async work(platform, run) {
    for (let after = FIRST; run.hasTime(); ) {
      const members = await underway(platform, chain, after, BATCH)
      for (const member of members) {
        const { exchange } = await operator()
        await advance(platform, { exchange, chain }, member).then(
          () => run.count('wallets', 1),
          (error) => run.fail(member.id, error),
        )
      }
      const ids = members.map(({ id }) => id)
      if (ids.length > 0) await run.step(null, async () => {}, ids)
      if (ids.length < BATCH) return
      after = ids.at(-1)!
    }
  },
})
