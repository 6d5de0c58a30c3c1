import { hostClock } from '../base/clock.ts'
import { requireClob } from '../base/postgres.ts'
import { RunningVenue } from './running-venue.ts'
import { findStream } from './take-over.ts'
import type { Venue, VenueOptions } from './venue.ts'

/**
 * Opens a stream: restores its state, follows it while another process writes, takes the lease when it is free, and then writes. Resolves
 * once it writes; as a standby, once it follows. Rejects with an explanation when that is not safe.
 */
export async function openVenue(options: VenueOptions): Promise<Venue> {
  const { databaseUrl, stream = 'main', clock = hostClock } = options
  await requireClob(databaseUrl)
  const venue = new RunningVenue({ ...options, stream, clock }, await findStream(databaseUrl, stream))
  if (options.standby) {
    venue.standBy()
    return venue
  }
  try {
    await venue.lead()
  } catch (error) {
    await venue.readModel.close()
    throw error
  }
  return venue
}
