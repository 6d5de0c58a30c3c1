import type { Hex } from '@augury/engine/command'
import { ServiceError } from '@augury/wire/service-error'
import type { OrderRecord, TransferRecord } from '../../record/history/read-orders.ts'
import type { Venue } from '../../record/venue.ts'

/** Greatest lag, in seconds, at which history may say that an id is new: well within the time for which the engine remembers ids itself. */
const TRUSTED_LAG_SECONDS = 300

type Query<Id, Found> = (ids: readonly Id[]) => Promise<Map<string, Found>>

/** Queries of one kind in flight: while a slow database works on these, further look-ups gather into one more. */
const AT_ONCE = 2

/** Look-ups that the next query answers. */
interface Batch<Id, Found> {
  ids: Map<string, Id>
  found: PromiseWithResolvers<Map<string, Found>>
}

/** Joins the look-ups of one turn of the event loop into one query, and those of many turns while the database is slow. */
class BatchedLookUp<Id, Found> {
  readonly #query: Query<Id, Found>
  #next: Batch<Id, Found> | null = null
  #asked = 0

  constructor(query: Query<Id, Found>) {
    this.#query = query
  }

  async find(key: string, id: Id): Promise<Found | null> {
    if (this.#next === null) {
      this.#next = { ids: new Map(), found: Promise.withResolvers() }
      setImmediate(() => this.#ask())
    }
    const { ids, found } = this.#next
    ids.set(key, id)
    return (await found.promise).get(key) ?? null
  }

  #ask(): void {
    if (this.#next === null || this.#asked === AT_ONCE) return
    const { ids, found } = this.#next
    this.#next = null
    this.#asked++
    this.#query([...ids.values()])
      .then(found.resolve, found.reject)
      .finally(() => {
        this.#asked--
        this.#ask()
      })
  }
}

/** Asks history about ids that are older than what the engine remembers; look-ups are batched. */
export class LookUps {
  readonly #venue: Pick<Venue, 'status' | 'readModel'>
  readonly #orders: BatchedLookUp<Hex, OrderRecord>
  readonly #names: BatchedLookUp<{ account: Hex; clientOrderId: string }, OrderRecord>
  readonly #transfers: BatchedLookUp<Hex, TransferRecord>

  constructor(venue: Pick<Venue, 'status' | 'readModel'>) {
    this.#venue = venue
    this.#orders = new BatchedLookUp((ids) => venue.readModel.orders(ids))
    this.#names = new BatchedLookUp((names) => venue.readModel.ordersByClientId(names))
    this.#transfers = new BatchedLookUp((ids) => venue.readModel.transfers(ids))
  }

  /** The order with this id, or null when there never was one. Rejects with `read_model_lagging` when history cannot say. */
  async order(id: Hex): Promise<OrderRecord | null> {
    this.#trust()
    return this.#orders.find(id, id)
  }

  /** The order to which an account gave a name, or null. Rejects with `read_model_lagging` when history cannot say. */
  async named(account: Hex, clientOrderId: string): Promise<OrderRecord | null> {
    this.#trust()
    return this.#names.find(`${account}/${clientOrderId}`, { account, clientOrderId })
  }

  /** The transfer with this ref, or null when there never was one. Rejects with `read_model_lagging` when history cannot say. */
  async transfer(ref: Hex): Promise<TransferRecord | null> {
    this.#trust()
    return this.#transfers.find(ref, ref)
  }

  #trust(): void {
    if (this.#venue.status().lagSeconds > TRUSTED_LAG_SECONDS) throw new ServiceError('read_model_lagging', { retryAfter: 5 })
  }
}
