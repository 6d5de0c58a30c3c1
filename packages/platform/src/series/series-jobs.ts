import { registering } from '../catalogue/register-condition.ts'
import type { ExchangeAccess } from '../exchange/exchange-access.ts'
import type { Job } from '../jobs/run-job.ts'
import { marksJob } from '../prices/marks-job.ts'
import type { Oracles } from '../prices/oracles.ts'
import { settlementJob } from '../resolution/settle.ts'
import { seriesJob } from './series-job.ts'

/** The jobs that record prices, run recurring series, and resolve and pay markets. They run every few seconds. */
export function seriesJobs({ exchange, oracles }: { exchange: ExchangeAccess; oracles: Oracles }): Job[] {
  const own = exchange.operatorAddress
  const operator = async () => (await exchange.operator()).exchange
  return [marksJob(oracles), seriesJob(registering(exchange.operator), own), settlementJob(operator, own)]
}
