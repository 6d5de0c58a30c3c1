import { hostClock, sleep } from './clock.ts'
import { findStream } from './log/take-over.ts'
import { RunningVenue } from './running-venue.ts'
import type { Venue, VenueOptions } from './venue.ts'

/** How long the start waits to know how far history is. */
const FOLLOWER_START_MS = 5000

/**
 * Opens a stream: restores its state, follows it while another process writes, takes the lease when it is free, and then writes.
 * Resolves once it writes; as a standby, once it follows. Rejects with a sentence when that is not safe.
 */
export async function openVenue(options: VenueOptions): Promise<Venue> {
  const { databaseUrl, stream = 'main', clock = hostClock } = options
  const venue = new RunningVenue({ ...options, stream, clock }, await findStream(databaseUrl, stream))
  if (options.standby) {
    venue.standBy()
    return venue
  }
  try {
    const { started } = await venue.lead()
    await Promise.race([started, sleep(clock, FOLLOWER_START_MS)])
  } catch (error) {
    await venue.readModel.close()
    throw error
  }
  return venue
}
