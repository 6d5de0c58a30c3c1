import type { VenueOperationName } from '@augury/wire/operations/venue'
import { ServiceError } from '@augury/wire/service-error'
import type { TokenBatch } from '@augury/wire/token-batch'
import type { Gateway } from '../access/gateway.ts'
import { type Identity, scopeCovers } from '../access/identity.ts'
import type { LoadShedder } from '../access/load-shedder.ts'
import type { Wallets } from '../access/wallets.ts'
import type { Context } from '../context.ts'
import { withoutDatabase } from '../database-away.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import { BookBatches } from '../views/book-batches.ts'
import { emptyBook, findToken } from './get-books.ts'
import { useCases } from './table.ts'

/** The parsed parts of a request. */
export interface Parts {
  params: unknown
  query: unknown
  body: unknown
}

/** The operations of an exchange, by name. */
export interface Operations {
  /**
   * Runs an operation for a verified identity with parts that its schemas accepted. Throws `ServiceError`, `OutcomeUnknown`, or what is
   * a bug.
   */
  run(name: VenueOperationName, identity: Identity, parts: Parts): Promise<unknown>
  /** The same as JSON; what is ready is there at once. */
  text(name: VenueOperationName, identity: Identity, parts: Parts): MaybePromise<string>
  /** What `getBooks` answers to a body as it came, where that is ready; null where it has to be read. */
  books(body: Uint8Array): Buffer<ArrayBuffer> | null
  /** Called by transports that know when bytes from `books` were sent: their memory can be reused. */
  left(bytes: Buffer<ArrayBuffer>): void
}

type UseCase = (ctx: Context, identity: Identity, parts: Parts) => Promise<unknown>

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

/** Operations that run in a context, for whom the gateway permits them. */
export function operationsOf(context: Context, gateway: Gateway, shedder: LoadShedder): Operations {
  const { books, wallets, settings } = context
  const begin = (name: VenueOperationName, identity: Identity, parts: Parts): Promise<unknown> => {
    gateway.permit(name, identity)
    if (settings.requireProxyWallet && NEED_WALLET.has(name)) requireWallet(wallets, identity)
    return shedder.measure(name, ordersIn(parts), () => (useCases[name] as UseCase)(context, identity, parts))
  }
  const batches = new BookBatches(
    books,
    (id) => findToken(context, id),
    (id) => JSON.stringify(emptyBook(id)),
  )
  return {
    run: async (name, identity, parts) => begin(name, identity, parts).catch(refuse),
    text: (name, identity, parts) =>
      name === 'getBooks' ? batches.text(parts.body as TokenBatch) : begin(name, identity, parts).then(JSON.stringify, refuse),
    books: (body) => batches.bytes(body),
    left: (bytes) => batches.left(bytes),
  }
}
