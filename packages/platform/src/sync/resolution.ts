import { RefusedError } from '@augury/client/answer'
import type { Market } from '@augury/wire/market'
import type { Hex } from 'viem'
import { survey, Unusable } from '../jobs/market-batches.ts'
import type { Ask, Job } from '../jobs/run-job.ts'
import { toState } from './exchange-market.ts'
import { type AskedState, adoptStates, databaseTime } from './market-states.ts'

/** Markets per step, each requested separately, and requests in parallel. */
const BATCH = 240
const AT_ONCE = 16

/** Takes over the results of markets that have ended or were closed, sooner than the round over all markets does. */
export const resolutionJob = (exchange: Ask<'getMarket'>, own: Hex): Job => ({
  name: 'resolution',
  async work(platform, run) {
    const { getMarket } = await exchange()
    await survey<AskedState>(platform, run, {
      batch: BATCH,
      only: 'not is_resolved and (not is_active or end_time <= now())',
      async ask(markets) {
        const asked_at = await databaseTime(platform.em())
        const found = new Map<string, Market>()
        const look = async ({ conditionId }: { conditionId: string }) => {
          const market = await getMarket({ params: { condition_id: conditionId } }).catch(unknown)
          if (market) found.set(conditionId, market)
        }
        for (let n = 0; n < markets.length; n += AT_ONCE) await Promise.all(markets.slice(n, n + AT_ONCE).map(look))
        return ({ conditionId }) => {
          const market = found.get(conditionId)
          if (!market) throw new Unusable('the exchange does not know it')
          return { ...toState(market), asked_at }
        }
      },
      write: (em, states) => adoptStates(em, run, own, states),
    })
  },
})

/** A market that the exchange does not know fails alone. */
function unknown(error: unknown): null {
  if (error instanceof RefusedError && error.status === 404) return null
  throw error
}
