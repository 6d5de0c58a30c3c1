import type { Books } from '../../base/books.ts'
import type { Venue } from '../../record/venue.ts'
import type { Gateway } from '../access/gateway.ts'
import type { ReferenceData } from '../reference/reference-data.ts'
import type { DeadMan } from '../state/dead-man.ts'
import { CompatStreams } from './compat-streams.ts'
import { contained } from './contained.ts'
import { isOfBook, marketChanges } from './market-changes.ts'
import { MarketStream } from './market-stream.ts'
import type { SiteTopics } from './site-topics.ts'
import { UserStream } from './user-stream.ts'

/** The streams that publish rows as they are applied. */
export interface Streams {
  stream: MarketStream
  compatStreams: CompatStreams
  userStream: UserStream
}

/** What the streams depend on. */
export interface StreamsSource extends Pick<ReferenceData, 'keys' | 'markets'> {
  venue: Venue
  /** Gets every row before the streams do. */
  books: Books
  gateway: Pick<Gateway, 'verifyLogin' | 'verifySecrets' | 'admitSwitch'>
  deadMan: DeadMan
  site: SiteTopics | null
  onBug(error: unknown): void
}

/** Opens the streams: from now on every applied row is published. */
export function openStreams({ venue, books, keys, markets, gateway, deadMan, site, onBug }: StreamsSource): Streams & { close(): void } {
  const { exchange } = venue
  const [status, now] = [() => venue.status(), () => venue.now()]
  const isStandby = () => venue.status().writer === 'standby'
  const stream = new MarketStream({ exchange, epoch: venue.timeline, books, markets, now, isStandby, onBug })
  stream.holdAll()
  const userStream = new UserStream({
    exchange,
    epoch: venue.timeline,
    venue,
    markets,
    keys,
    deadMan,
    status,
    now,
    onBug,
    verifyLogin: (login) => gateway.verifyLogin(login),
    admitSwitch: (trader) => gateway.admitSwitch(trader),
  })
  const compatStreams = new CompatStreams({
    exchange,
    books,
    markets,
    keys,
    venue,
    status,
    site,
    onBug,
    verifySecrets: (secrets) => gateway.verifySecrets(secrets),
  })
  const tell = (one: { startOver(): void }, publish: () => void) => contained(onBug, () => one.startOver(), publish)
  const stopRows = venue.onRow((row) => {
    const changes = marketChanges(row)
    for (const [condition, change] of changes) if (isOfBook(change)) books.touch(condition, row.lastSeq, row.at)
    tell(stream, () => stream.publish(row, changes))
    tell(userStream, () => userStream.publish(row))
    tell(compatStreams, () => compatStreams.publish(row, changes))
  })
  return {
    stream,
    userStream,
    compatStreams,
    close() {
      stopRows()
      stream.close()
      userStream.close()
      compatStreams.close()
    },
  }
}
