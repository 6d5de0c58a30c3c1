import { migrateClob } from '@augury/domain/clob/database'
import { migratedDatabase } from '@augury/testing/database'
import { temporaryFolder } from '@augury/testing/temporary-folder'
import { onTestFinished } from 'vitest'
import { openVenue } from '../src/record/open-venue.ts'
import type { Venue, VenueOptions } from '../src/record/venue.ts'

/** A migrated database of its own. */
export const clobDatabase = () => migratedDatabase('clob', migrateClob)

/** What a venue under test reported. */
export interface Reports {
  fatal: Error[]
  told: string[]
}

/** A venue on a database; closed with the test unless it was before. Its server need not be durable. */
export async function startVenue(databaseUrl: string, more: Partial<VenueOptions> = {}): Promise<Venue & { reports: Reports }> {
  const reports: Reports = { fatal: [], told: [] }
  const tell = (message: string) => void reports.told.push(message)
  const venue = await openVenue({
    ...{ databaseUrl, dataDir: temporaryFolder('venue'), requireDurability: false },
    ...{ log: { info: tell, warn: tell, error: tell }, onFatal: (error) => void reports.fatal.push(error) },
    ...more,
  })
  const end = venue.close.bind(venue)
  let ending: Promise<void> | null = null
  const close = () => (ending ??= end())
  onTestFinished(close)
  return Object.assign(venue, { close, reports })
}
