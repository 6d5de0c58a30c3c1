import { type VenueOperationName, venueOperations, venueRow } from '@augury/wire/operations/venue'
import { ServiceError } from '@augury/wire/service-error'
import type { TokenBatch } from '@augury/wire/token-batch'
import { textInTurns } from '../../base/in-turns.ts'
import type { MaybePromise } from '../../base/maybe-promise.ts'
import type { Gateway } from '../access/gateway.ts'
import { type Identity, scopeCovers } from '../access/identity.ts'
import type { LoadShedder } from '../access/load-shedder.ts'
import { BookBatches } from '../views/book-batches.ts'
import { callerFailure } from './caller-failure.ts'
import { notCanceled } from './cancel-order.ts'
import type { Context } from './context.ts'
import { withoutDatabase } from './database-away.ts'
import { emptyBook, findToken } from './get-books.ts'
import { lacksWallet } from './manage-wallets.ts'
import { Patience } from './patience.ts'
import { useCases } from './table.ts'

/** The parsed parts of a request: those that its operation has. */
export interface Parts {
  params?: unknown
  query?: unknown
  body?: unknown
}

/** The operations of an exchange, by name. */
export interface Operations {
  /**
   * Runs an operation for a verified identity, with parts that its schemas accepted. Rejects with ServiceError, `outcome_unknown` where
   * the outcome is unknown; anything else is a bug.
   */
  run(name: VenueOperationName, identity: Identity, parts: Parts): Promise<unknown>
  /** The same as JSON text; returned synchronously when it is ready. The parts are read when it is their turn: some take long to read. */
  text(name: VenueOperationName, identity: Identity, read: () => Parts): MaybePromise<string>
  /** The answer of `getBooks` to an unparsed body, when it is ready as bytes; null when the body has to be parsed. */
  readyBooks(body: Uint8Array): Buffer<ArrayBuffer> | null
  /** For transports that know when bytes from `readyBooks` were sent: lets their memory be reused. */
  releaseBooks(bytes: Buffer<ArrayBuffer>): void
}

type UseCase = (ctx: Context, identity: Identity, parts: Parts) => Promise<unknown>

/** The order that a cancel of one names, in its body or in its path. */
const orderOf = ({ body, params }: Parts): string => (body as { orderId: string } | undefined)?.orderId ?? (params as { id: string }).id

/** Throws `proxy_wallet_missing` for a trader who lacks a required wallet; operators need none. */
function requireWallet(context: Context, identity: Identity, name: VenueOperationName, parts: Parts): void {
  if (identity.kind !== 'trader' || scopeCovers(identity.scope, 'operator') || !lacksWallet(context, identity.account)) return
  if (venueRow(name).orders === 'cancels one') throw notCanceled('proxy_wallet_missing', orderOf(parts))
  throw new ServiceError('proxy_wallet_missing')
}

/** How many orders a request places, if its operation places orders. */
const ordersIn = ({ body }: Parts): number => (Array.isArray(body) ? Math.max(1, body.length) : 1)

/** Returns the key under which requests queue: the account, or the address of an unsigned request. */
const clientOf = (identity: Identity): string => (identity.kind === 'trader' ? identity.account : identity.clientAddress)

/** Operations that change something for a trader, which are answered in time whatever becomes of them. */
const IN_TIME: ReadonlySet<string> = new Set(
  Object.entries(venueOperations).flatMap(([name, { auth }]) => (auth === 'trade' ? [name] : [])),
)

/** Makes the operations of a context, with the gateway's permissions and the shedder's measurements. */
export function operationsOf(context: Context, gateway: Gateway, shedder: LoadShedder): Operations {
  const { books, reads } = context
  const patience = new Patience()
  const begin = (name: VenueOperationName, identity: Identity, read: () => Parts): Promise<unknown> => {
    gateway.permit(name, identity)
    const useCase = useCases[name] as UseCase
    const { cost, needsWallet } = venueRow(name)
    if (cost === 'read-many' && !gateway.isOurs(identity))
      return reads.run(clientOf(identity), async () => useCase(context, identity, read()))
    const parts = read()
    if (needsWallet) requireWallet(context, identity, name, parts)
    const orders = ordersIn(parts)
    gateway.countItems(name, identity, orders)
    const result = shedder.measure(name, clientOf(identity), orders, () => useCase(context, identity, parts))
    return IN_TIME.has(name) ? patience.bound(result) : result
  }
  const refuse = (name: VenueOperationName) => (error: unknown) => {
    throw callerFailure(name, withoutDatabase(error))
  }
  const batches = new BookBatches(
    books,
    (id) => findToken(context, id),
    (id) => JSON.stringify(emptyBook(id)),
  )
  return {
    run: async (name, identity, parts) => begin(name, identity, () => parts).catch(refuse(name)),
    text: (name, identity, read) =>
      name === 'getBooks' ? batches.text(read().body as TokenBatch) : begin(name, identity, read).then(textInTurns, refuse(name)),
    readyBooks: (body) => batches.bytes(body),
    releaseBooks: (bytes) => batches.release(bytes),
  }
}
