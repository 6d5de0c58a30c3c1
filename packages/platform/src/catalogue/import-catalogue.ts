import { tables } from '@augury/domain/platform/tables'
import type { Hex } from 'viem'
import { invalidate } from '../cache/generations.ts'
import type { Platform } from '../site/platform.ts'
import { readDiscovery } from './discovery.ts'
import type { Finding } from './finding.ts'
import { toListings } from './listing.ts'
import type { RegisterCondition } from './register-condition.ts'
import { type Progress, registerMarkets } from './register-markets.ts'
import { storeListing } from './store-listing.ts'

/** What to import: the text of a discovery file, for whom, and how markets come onto the exchange. */
export interface Import {
  text: string
  creator: Hex
  register: RegisterCondition
  progress?: Progress
  /** Opens also what is closed in the file or over. */
  reopen?: boolean
}

/** What an import did. Counts are markets. */
export interface ImportReport {
  events: number
  markets: number
  stored: number
  registered: number
  findings: Finding[]
}

/**
 * Imports a discovery file: events, tags and rules into `platform`, then every market onto the exchange. Run again, it stores nothing twice
 * and registers what is still missing. No category of a file becomes a main one. Throws DiscoveryError when the text is no discovery file, and what `register` throws.
 */
export async function importCatalogue(
  platform: Platform,
  { text, creator, register, progress, reopen = false }: Import,
): Promise<ImportReport> {
  const read = readDiscovery(text)
  const terms = { now: platform.now(), mainCategories: await mainCategories(platform), reopen }
  const { listings, findings } = toListings(read.events, terms)
  const report: ImportReport = {
    events: listings.length,
    markets: listings.reduce((sum, { markets }) => sum + markets.length, 0),
    stored: 0,
    registered: 0,
    findings: [...read.findings, ...findings],
  }
  for (const listing of listings) {
    const { stored, findings: more } = await storeListing(platform, creator, listing)
    report.stored += stored
    report.findings.push(...more)
  }
  report.registered = await registerMarkets(platform, creator, register, progress)
  // The site may have cached lists of a half-finished import.
  if (report.stored + report.registered > 0) await invalidate(platform.em(), ['lists'])
  return report
}

/** Slugs of the main categories that the site shows, also former ones. */
async function mainCategories(platform: Platform): Promise<ReadonlySet<string>> {
  const db = tables(platform.em())
  const main = db.selectFrom('tag').where('is_main_category', '=', true).where('is_hidden', '=', false).where('hide_events', '=', false)
  const rows = await main
    .select('slug')
    .unionAll(db.selectFrom('former_tag').select('slug').where('tag_id', 'in', main.select('id')))
    .execute()
  return new Set(rows.map(({ slug }) => slug))
}
