import { within } from '../outbound/within.ts'
import type { Site } from './site.ts'

/** Milliseconds that each need has to answer a probe: probes themselves give up after a second or two. */
const PATIENCE_MS = 900

/** What a site needs to serve its members: its database, and the writer of the exchange. */
export async function siteNeeds(site: Site): Promise<{ database: boolean; exchange: boolean }> {
  const [database, exchange] = await Promise.all([answers(site.em().execute('select 1')), answers(site.exchange.anybody.getReadyz())])
  return { database, exchange }
}

const answers = (asked: Promise<unknown>): Promise<boolean> =>
  within(PATIENCE_MS, asked, () => new Error('no answer in time')).then(
    () => true,
    () => false,
  )
