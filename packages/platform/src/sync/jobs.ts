import { publishingJob } from '../creation/publishing-job.ts'
import type { ExchangeAccess } from '../exchange/exchange-access.ts'
import type { Job } from '../jobs/run-job.ts'
import type { Deploying } from '../proxy-wallet/advance.ts'
import { affiliatesJob } from './affiliates.ts'
import { booksJob } from './books.ts'
import { chartsJob } from './charts.ts'
import { cleaningJob } from './cleaning.ts'
import { depositsJob } from './deposits.ts'
import { eventsJob } from './events.ts'
import { figuresJob } from './figures.ts'
import { ordersJob } from './orders.ts'
import { pricesJob } from './prices.ts'
import { proxyWalletsJob } from './proxy-wallets.ts'
import { resolutionJob } from './resolution.ts'
import { usersJob } from './users.ts'
import { volumeJob } from './volume.ts'
import { withdrawalsJob } from './withdrawals.ts'

const made = new WeakMap<ExchangeAccess, Job[]>()

/** The recurring jobs of a deployment, made once: some remember what they need not ask again. */
export function syncJobs({ exchange, settings }: { exchange: ExchangeAccess; settings: Deploying }): Job[] {
  const jobs = made.get(exchange) ?? makeJobs(exchange, settings)
  made.set(exchange, jobs)
  return jobs
}

/** Each job with the exchange operations that it needs. */
function makeJobs({ reader, operator, treasury, operatorAddress }: ExchangeAccess, chain: Deploying): Job[] {
  return [
    eventsJob(reader, operatorAddress),
    resolutionJob(reader, operatorAddress),
    volumeJob(reader),
    pricesJob(reader),
    chartsJob(reader),
    booksJob(reader),
    usersJob(reader),
    withdrawalsJob(treasury),
    cleaningJob(),
    affiliatesJob(operator),
    proxyWalletsJob(operator, chain),
    publishingJob(operator, operatorAddress),
    figuresJob(reader, operatorAddress),
    depositsJob(treasury),
    ordersJob(treasury),
  ]
}
