import type { Hex } from '@augury/engine/command'
import { ServiceError } from '@augury/wire/service-error'
import type { OrderRecord, TransferRecord } from './read-model.ts'
import type { Venue } from './venue.ts'

/** Seconds that history may be behind for its word that an id is new to count: well within what the engine remembers itself. */
const TRUSTED_LAG_SECONDS = 300

type Query<Found> = (ids: readonly Hex[]) => Promise<Map<Hex, Found>>

/** Gathers the look-ups of one turn into one query. */
class Gathered<Found> {
  readonly #query: Query<Found>
  #ids = new Set<Hex>()
  #turn: Promise<Map<Hex, Found>> | null = null

  constructor(query: Query<Found>) {
    this.#query = query
  }

  async find(id: Hex): Promise<Found | null> {
    this.#ids.add(id)
    this.#turn ??= new Promise((resolve, reject) => {
      setImmediate(() => {
        const ids = [...this.#ids]
        this.#ids = new Set()
        this.#turn = null
        this.#query(ids).then(resolve, reject)
      })
    })
    return (await this.#turn).get(id) ?? null
  }
}

/** Asks history whether an id was used before the engine's memory begins, batched per turn. */
export class LookUps {
  readonly #venue: Pick<Venue, 'status' | 'readModel'>
  readonly #orders: Gathered<OrderRecord>
  readonly #transfers: Gathered<TransferRecord>

  constructor(venue: Pick<Venue, 'status' | 'readModel'>) {
    this.#venue = venue
    this.#orders = new Gathered((ids) => venue.readModel.orders(ids))
    this.#transfers = new Gathered((ids) => venue.readModel.transfers(ids))
  }

  /** The order with this id, or null when there never was one. Throws `read_model_lagging` when history cannot say. */
  order(id: Hex): Promise<OrderRecord | null> {
    this.#trust()
    return this.#orders.find(id)
  }

  /** The transfer with this ref, or null when there never was one. Throws `read_model_lagging` when history cannot say. */
  transfer(ref: Hex): Promise<TransferRecord | null> {
    this.#trust()
    return this.#transfers.find(ref)
  }

  #trust(): void {
    if (this.#venue.status().lagSeconds > TRUSTED_LAG_SECONDS) throw new ServiceError('read_model_lagging', { retryAfter: 5 })
  }
}
