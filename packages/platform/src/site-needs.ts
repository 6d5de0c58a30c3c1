import type { Site } from './site.ts'

/** Milliseconds that each need has to answer a probe: probes themselves give up after a second or two. */
const PATIENCE_MS = 900

/** What a site needs to serve its members: its database, and the writer of the exchange. */
export async function siteNeeds(site: Site): Promise<{ database: boolean; exchange: boolean }> {
  const [database, exchange] = await Promise.all([answers(site.em().execute('select 1')), answers(site.exchange.anybody.getReadyz())])
  return { database, exchange }
}

async function answers(asked: Promise<unknown>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<false>()
  const patience = setTimeout(resolve, PATIENCE_MS, false)
  const answer = asked.then(
    () => true,
    () => false,
  )
  return Promise.race([answer, promise]).finally(() => clearTimeout(patience))
}
