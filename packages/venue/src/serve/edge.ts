import { ESTABLISHED_CHAINS } from '@augury/signing/order-domains'
import pg from 'pg'
import { Books } from '../base/books.ts'
import { KeyedQueue } from '../base/keyed-queue.ts'
import { connection } from '../base/postgres.ts'
import { readNames } from '../record/history/read-names.ts'
import type { Venue } from '../record/venue.ts'
import { Budgets } from './access/budgets.ts'
import { Gateway } from './access/gateway.ts'
import { Lanes } from './access/lanes.ts'
import { hostMeter, LoadShedder } from './access/load-shedder.ts'
import { Shares } from './access/shares.ts'
import { Verifier } from './access/verifier.ts'
import { WalletLogin } from './access/wallet-login.ts'
import { followPrimary, recallCancels, type StandbyState } from './follow-primary.ts'
import type { Context, VenueSettings } from './operations/context.ts'
import { type Operations, operationsOf } from './operations/run-operation.ts'
import { Catalogue } from './reference/catalogue.ts'
import { openReferenceData } from './reference/reference-data.ts'
import type { SiteReader } from './reference/site-reader.ts'
import { DeadMan } from './state/dead-man.ts'
import { DroppedNotifications } from './state/dropped-notifications.ts'
import { LookUps } from './state/look-ups.ts'
import { OrderNames } from './state/order-names.ts'
import { Retries } from './state/retries.ts'
import { UnderWay } from './state/under-way.ts'
import { openStreams, type Streams } from './streams/open-streams.ts'
import { SiteTopics } from './streams/site-topics.ts'

/** What the edge is configured with. */
export interface EdgeSettings extends VenueSettings {
  databaseUrl: string
  /** The server's secret, from which API keys are derived. */
  apiKeySecret: string
  /** Hosts, with ports, under which clients reach this service: those that a wallet's login may name. */
  hosts: readonly string[]
  /** The site that lists the markets, if there is one. */
  site?: SiteReader | null
}

/** Everything between the transports and the exchange. */
export interface Edge extends Operations, Streams {
  context: Context
  gateway: Gateway
  /** Ends streams, threads and database connections. Its opener closes the venue. */
  close(): Promise<void>
}

/** Milliseconds between two checks for silent accounts. */
const DEAD_MAN_TICK_MS = 100
/** How many reads of many things one client has under way at once, and how many more may wait. */
const READS = { atOnce: 2, waiting: 1000 }

/** Opens the edge of an exchange. Failures in the background go to `onError`. */
export async function openEdge(venue: Venue, settings: EdgeSettings, onError: (error: Error) => void): Promise<Edge> {
  const { databaseUrl, apiKeySecret } = settings
  const { exchange } = venue
  const db = new pg.Pool({ ...connection(databaseUrl, 'edge'), max: 4 })
  db.on('error', onError)
  const onBug = (error: unknown) => onError(error instanceof Error ? error : new Error(String(error)))
  const ready = Promise.withResolvers<StandbyState>()
  const stopFollowing = followPrimary(venue, ready.promise)
  const isStandby = () => venue.status().writer === 'standby'
  const { close: closeData, ...data } = await openReferenceData({ db, databaseUrl, apiKeySecret, isStandby, onError })
  const { keys, markets } = data

  const verifier = new Verifier(onError)
  const budgets = new Budgets(settings.sandbox ? ['keys', 'orders'] : []) // in a sandbox, programs on this machine may make as many keys and orders as they like
  const login = loginOf(settings, verifier)
  const shedder = new LoadShedder(hostMeter(() => venue.waiting()))
  const gateway = new Gateway({ shedder, venue, keys, budgets, login })
  const lanes = new Lanes()
  const deadMan = deadManOf(venue, lanes, onError)
  const books = new Books(exchange, { seq: exchange.seq, at: exchange.at || venue.now() })
  const catalogue = new Catalogue({ markets, exchange, venue })
  const site = topicsOf(settings, catalogue, venue)
  const { close: closeStreams, ...streams } = openStreams({ venue, books, keys, markets, gateway, deadMan, site, onBug })

  await recallCancels(venue, budgets)
  ready.resolve({ keys, markets, budgets })
  const deadManTick = setInterval(() => deadMan.tick(), DEAD_MAN_TICK_MS)
  const lookUps = new LookUps(venue)
  const orderNames = new OrderNames(venue, lookUps, (...into) => readNames(databaseUrl, venue.stream, ...into), onError)
  const context: Context = {
    venue,
    exchange,
    settings,
    ...data,
    books,
    catalogue,
    site: settings.site ?? null,
    login,
    verifier,
    lanes,
    budgets,
    deadMan,
    lookUps,
    reads: new Shares(READS.atOnce, READS.waiting),
    underWay: new UnderWay(lanes),
    orderNames,
    retries: new Retries(venue),
    gifts: new KeyedQueue(),
    registrations: new KeyedQueue(),
    dropped: new DroppedNotifications(db),
    onBug,
  }
  return {
    context,
    gateway,
    ...streams,
    ...operationsOf(context, gateway, shedder),
    async close() {
      clearInterval(deadManTick)
      orderNames.close()
      stopFollowing()
      closeStreams()
      await Promise.all([closeData(), verifier.close()])
      await db.end()
    },
  }
}

const loginOf = (settings: EdgeSettings, verifier: Verifier): WalletLogin =>
  new WalletLogin({ ...settings, compatChains: settings.sandbox ? ESTABLISHED_CHAINS : [] }, (hash, signature) =>
    verifier.recover(hash, signature),
  )

const topicsOf = ({ site }: EdgeSettings, catalogue: Catalogue, venue: Venue): SiteTopics | null =>
  site ? new SiteTopics(site, catalogue, () => venue.now()) : null

const deadManOf = (venue: Venue, lanes: Lanes, onError: (error: Error) => void): DeadMan =>
  new DeadMan({
    exchange: venue.exchange,
    submit: (command) => venue.submit(command),
    ahead: (account) => lanes.ahead(account),
    status: () => venue.status(),
    onError,
  })
