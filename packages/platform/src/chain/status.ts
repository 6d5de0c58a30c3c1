import { tables } from '@augury/domain/platform/tables'
import { type ChainStatus, chainStatus } from '@augury/wire/platform/chain'
import { type ChainView, chainView } from '@augury/wire/platform/deposits'
import type { Site } from '../site/site.ts'
import { placeOf, vaultOf } from './place.ts'

/** What the settler reported last. */
export interface Report {
  status: ChainStatus
  at: Date
}

/** The settler's last report; null before the first, and where money is kept by the ledger alone. */
export async function lastReport(site: Site): Promise<Report | null> {
  if (!vaultOf(site.settings)) return null
  const row = await tables(site.em()).selectFrom('chain.status').select(['status', 'updated_at']).executeTakeFirst()
  const read = chainStatus.safeParse(row?.status)
  return row && read.success ? { status: read.data, at: row.updated_at } : null
}

/** Where money is kept, and how the chain stands. What went wrong in the settler is for admins. */
export async function getChain(site: Site): Promise<ChainView> {
  const [place, report] = await Promise.all([placeOf(site), lastReport(site)])
  const status = report && { ...report.status, halted: report.status.halted !== null }
  const reported_at = report?.at.toISOString() ?? null
  return chainView.parse({ settlement: place ? 'chain' : 'ledger', place, status, reported_at })
}
