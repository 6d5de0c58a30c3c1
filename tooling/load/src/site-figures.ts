import { setTimeout as wait } from 'node:timers/promises'
import { conditionRequest } from '@augury/testing/condition-request'
import type { Crowd } from './crowd.ts'
import type { System } from './system.ts'

/** The worker reads volumes every five minutes; waiting longer is pointless. */
const PATIENCE_MS = 15 * 60_000
const PAUSE_MS = 2000

/**
 * Waits until the site shows the volume traded on the exchange, which proves that its worker ran and caught up. Trading has ended by then.
 */
export async function waitForSite(
  { site, exchange }: Pick<System, 'site' | 'exchange'>,
  { markets }: Pick<Crowd, 'markets'>,
): Promise<{ seconds: number | null; wrong: string[] }> {
  if (site === null) return { seconds: null, wrong: [] }
  const begun = performance.now()
  const conditions = markets.map(({ condition }) => ({ condition_id: condition }))
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ conditions }) }
  const rows = (await (await fetch(`${exchange}/data/volumes`, init)).json()) as { condition_id: string; volume: string }[]
  const traded = new Map(rows.map(({ condition_id, volume }) => [condition_id.toLowerCase(), Number(volume)]))
  for (;;) {
    const shown = await Promise.all(markets.map(({ slug }) => volumeOf(site, slug)))
    const seconds = (performance.now() - begun) / 1000
    const differ = markets.filter(({ condition }, index) => shown[index] !== traded.get(condition.toLowerCase()))
    if (differ.length === 0) return { seconds, wrong: [] }
    if (seconds * 1000 > PATIENCE_MS)
      return { seconds, wrong: [`the site shows another volume of ${differ.map(({ slug }) => slug).join(', ')}`] }
    await wait(PAUSE_MS)
  }
}

/** Volume of a market's event in the site's list, in USDC; null while the event is not listed. */
async function volumeOf(site: string, slug: string): Promise<number | null> {
  const listed = conditionRequest(slug).metadata.event // as the crowd registered it
  const reply = await fetch(`${site}/api/events?search=${encodeURIComponent(listed.title)}&limit=128`)
  if (!reply.ok) throw new Error(`the list of events is answered ${reply.status}`)
  const events = (await reply.json()) as { slug: string; volume: number }[]
  return events.find((event) => event.slug === listed.slug)?.volume ?? null
}
