import type { WorkerSettings } from '@augury/settings/env'
import { openExchange } from '../trading/exchange-access.ts'
import { pricesJob } from './prices.ts'
import type { Job } from './run-job.ts'
import { volumeJob } from './volume.ts'
import { withdrawalsJob } from './withdrawals.ts'

/** The recurring jobs of a deployment, with the exchange at this address and the deployment's own wallet. */
export function syncJobs(settings: Pick<WorkerSettings, 'clobUrl' | 'platformWalletKey'>): Job[] {
  const { anybody, treasury } = openExchange(settings)
  return [volumeJob(anybody), pricesJob(anybody), withdrawalsJob(treasury)]
}
