import { venueClient } from '@augury/client/rest'
import { pricesJob } from './prices.ts'
import type { Job } from './run-job.ts'
import { volumeJob } from './volume.ts'

/** The recurring jobs of a deployment, reading the exchange at this address. */
export function syncJobs(clobUrl: string): Job[] {
  const exchange = venueClient({ url: clobUrl })
  return [volumeJob(exchange), pricesJob(exchange)]
}
