import type { Hex } from '@augury/engine/command'
import type { VenueOperationName } from '@augury/wire/operations/venue'
import { ServiceError } from '@augury/wire/service-error'
import type { TokenBatch } from '@augury/wire/token-batch'
import pg from 'pg'
import { Budgets } from './access/budgets.ts'
import { Door, hostMeter } from './access/door.ts'
import { Gateway } from './access/gateway.ts'
import { type Identity, scopeCovers } from './access/identity.ts'
import { KEY_CHANNEL, Keys } from './access/keys.ts'
import { Lanes } from './access/lanes.ts'
import { OneOwner } from './access/one-owner.ts'
import { Verifier } from './access/verifier.ts'
import { WalletLogin } from './access/wallet-login.ts'
import { WALLET_CHANNEL, Wallets } from './access/wallets.ts'
import type { Context, VenueSettings } from './context.ts'
import { withoutDatabase } from './database-away.ts'
import { DeadMan } from './dead-man.ts'
import { DroppedNotifications } from './dropped-notifications.ts'
import { FEE_CHANNEL, FeeAccounts } from './fee-accounts.ts'
import { type Beside, followPrimary, recallCancels } from './follow-primary.ts'
import { LookUps } from './history/look-ups.ts'
import { MARKET_CHANNEL, Markets } from './metadata.ts'
import { followNotices } from './notices.ts'
import { Gifts } from './operations/faucet.ts'
import { emptyBook, findToken } from './operations/get-books.ts'
import { useCases } from './operations/table.ts'
import { OrderNames } from './order-names.ts'
import { connection } from './postgres.ts'
import type { Soon } from './soon.ts'
import { CompatStreams } from './streams/compat-streams.ts'
import { marketChanges } from './streams/market-changes.ts'
import { MarketStream } from './streams/market-stream.ts'
import { UserStream } from './streams/user-stream.ts'
import type { Venue } from './venue.ts'
import { BookBatches } from './views/book-batches.ts'
import { Books } from './views/books.ts'

/** What the edge is opened with. */
export interface EdgeSettings extends VenueSettings {
  databaseUrl: string
  /** Secret of the server, from which API keys are derived. */
  apiKeySecret: string
  /** Hosts with ports under which clients reach this service: what a wallet's login may name. */
  hosts: readonly string[]
}

/** Everything between the transports and the exchange. */
export interface Edge {
  context: Context
  gateway: Gateway
  stream: MarketStream
  compatStreams: CompatStreams
  userStream: UserStream
  /**
   * Runs an operation for a verified identity with parts that its schemas accepted. Throws `ServiceError`, `OutcomeUnknown`, or what is
   * a bug.
   */
  run(name: VenueOperationName, identity: Identity, parts: Parts): Promise<unknown>
  /** The same as JSON, or as its bytes; what is ready is there at once. */
  text(name: VenueOperationName, identity: Identity, parts: Parts): Soon<string | Buffer<ArrayBuffer>>
  /** Called by transports that know when bytes from `text` were sent: their memory can be reused. */
  left(bytes: Buffer<ArrayBuffer>): void
  /** Ends streams and threads, and lets go of the database. The venue is closed by whoever opened it. */
  close(): Promise<void>
}

/** The parsed parts of a request. */
export interface Parts {
  params: unknown
  query: unknown
  body: unknown
}

type UseCase = (ctx: Context, identity: Identity, parts: Parts) => Promise<unknown>

/** Milliseconds between two writes of when keys were last used. */
const KEY_USES_MS = 60_000

/** Milliseconds between two looks at who has fallen silent. */
const DEAD_MAN_TICK_MS = 100

/** What an account without a registered wallet may not do where wallets are required. Leaving the book altogether it always may. */
const NEED_WALLET: ReadonlySet<VenueOperationName> = new Set([
  'placeOrder',
  'placeOrders',
  'amendOrder',
  'replaceOrder',
  'cancelOrder',
  'cancelOrderById',
])

/** Refuses a trader who has none; those who manage the venue need none. */
function requireWallet(wallets: Wallets, identity: Identity): void {
  if (identity.kind !== 'trader' || scopeCovers(identity.scope, 'operator')) return
  if (wallets.of(identity.account).length === 0) throw new ServiceError('proxy_wallet_missing')
}

/** How many orders a request places, if it places any. */
const ordersIn = ({ body }: Parts): number => (Array.isArray(body) ? Math.max(1, body.length) : 1)

function refuse(error: unknown): never {
  throw withoutDatabase(error)
}

/** Opens the edge of an exchange. `onError` hears of what went wrong in the background. */
export async function openEdge(venue: Venue, settings: EdgeSettings, onError: (error: Error) => void): Promise<Edge> {
  const db = new pg.Pool({ ...connection(settings.databaseUrl, 'edge'), max: 4 })
  db.on('error', onError)
  const owners = new OneOwner(db)
  const beside = Promise.withResolvers<Beside>()
  const stopFollowing = followPrimary(venue, beside.promise)
  const [keys, markets, wallets, feeAccounts] = await Promise.all([
    Keys.load(db, owners, settings.apiKeySecret),
    Markets.load(db),
    Wallets.load(db, owners),
    FeeAccounts.load(db),
  ])
  const isStandby = () => venue.status().writer === 'standby'
  const hearing = {
    [KEY_CHANNEL]: (key?: string) => keys.reload(key),
    [WALLET_CHANNEL]: (address?: string) => wallets.reload(address),
    [FEE_CHANNEL]: (deployment?: string) => feeAccounts.reload(deployment),
    [MARKET_CHANNEL]: async (condition?: string) => {
      if (isStandby()) await markets.reload(condition as Hex) // the writer told, and knows
    },
  }
  const stopNotices = await followNotices(settings.databaseUrl, hearing, onError)
  const uses = setInterval(() => void keys.writeUses().catch(onError), KEY_USES_MS)

  const { exchange } = venue
  const books = new Books(exchange, { seq: exchange.seq, at: exchange.at || venue.now() })
  const stream = new MarketStream({ exchange, epoch: venue.timeline, books, markets, now: () => venue.now(), isStandby })
  stream.holdAll()
  let userStream: UserStream | null = null
  let compatStreams: CompatStreams | null = null
  const stopRows = venue.onRow((row) => {
    const changes = marketChanges(row)
    for (const condition of changes.keys()) books.touch(condition, row.lastSeq, row.at)
    stream.publish(row, changes)
    userStream?.publish(row)
    compatStreams?.publish(row, changes)
  })

  const verifier = new Verifier(onError)
  const budgets = new Budgets()
  await recallCancels(venue, budgets)
  beside.resolve({ keys, markets, budgets })
  const login = new WalletLogin(settings, (hash, signature) => verifier.recover(hash, signature))
  const door = new Door(hostMeter(() => venue.waiting()))
  const gateway = new Gateway({ door, venue, keys, budgets, login })
  const lookUps = new LookUps(venue)
  const lanes = new Lanes()
  const deadMan = new DeadMan({
    ...{ exchange, submit: (command) => venue.submit(command), ahead: (account) => lanes.ahead(account) },
    ...{ status: () => venue.status(), onError },
  })
  const privateStream = new UserStream({
    ...{ exchange, epoch: venue.timeline, venue, markets, keys, deadMan },
    ...{ signedIn: (login) => gateway.loggedIn(login), status: () => venue.status(), now: () => venue.now() },
  })
  userStream = privateStream
  const established = new CompatStreams({
    ...{ exchange, books, markets, keys, venue },
    ...{ heldBy: (secret) => gateway.heldBy(secret), status: () => venue.status() },
  })
  compatStreams = established
  const deadManTick = setInterval(() => deadMan.tick(), DEAD_MAN_TICK_MS)
  const context: Context = {
    venue,
    exchange,
    markets,
    books,
    keys,
    wallets,
    feeAccounts,
    login,
    verifier,
    lanes,
    lookUps,
    orderNames: new OrderNames(exchange, lookUps, venue.readModel),
    budgets,
    deadMan,
    gifts: new Gifts(),
    dropped: new DroppedNotifications(db),
    settings,
    onBug: (error) => onError(error instanceof Error ? error : new Error(String(error))),
  }

  const begin = (name: VenueOperationName, identity: Identity, parts: Parts): Promise<unknown> => {
    gateway.permit(name, identity)
    if (settings.requireProxyWallet && NEED_WALLET.has(name)) requireWallet(wallets, identity)
    return door.follow(name, ordersIn(parts), () => (useCases[name] as UseCase)(context, identity, parts))
  }
  const batches = new BookBatches(
    books,
    (id) => findToken(context, id),
    (id) => JSON.stringify(emptyBook(id)),
  )

  return {
    context,
    gateway,
    stream,
    userStream: privateStream,
    compatStreams: established,
    run: async (name, identity, parts) => begin(name, identity, parts).catch(refuse),
    text: (name, identity, parts) =>
      name === 'getBooks' ? batches.bytes(parts.body as TokenBatch) : begin(name, identity, parts).then(JSON.stringify, refuse),
    left: (bytes) => batches.left(bytes),
    async close() {
      clearInterval(uses)
      clearInterval(deadManTick)
      stopRows()
      stopFollowing()
      stream.close()
      privateStream.close()
      established.close()
      await Promise.all([stopNotices(), verifier.close(), keys.writeUses().catch(onError)])
      await db.end()
    },
  }
}
