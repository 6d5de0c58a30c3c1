import type { VenueOperation } from '../operation.ts'
import { isSigned, strictQuery } from '../query.ts'
import { accountOperations } from './account.ts'
import { bookOperations } from './books.ts'
import { catalogueOperations } from './catalogue.ts'
import { dataOperations } from './data.ts'
import { deadManOperations } from './dead-man.ts'
import { establishedOperations } from './established.ts'
import { historyOperations } from './history.ts'
import { keyOperations } from './keys.ts'
import { marketOperations } from './markets.ts'
import { operatorOperations } from './operator.ts'
import { orderOperations } from './orders.ts'
import { proofOperations } from './proof.ts'
import { serviceOperations } from './service.ts'
import { walletOperations } from './wallets.ts'

/** Makes operations without a query refuse every name in one: all routes of the exchange refuse names that they do not know. */
const refusingUnknownNames = <Table extends Readonly<Record<string, VenueOperation>>>(table: Table): Table =>
  Object.fromEntries(
    Object.entries(table).map(([name, one]) => [name, one.query || isSigned(one) ? one : { ...one, query: strictQuery({}) }]),
  ) as unknown as Table

/** Every operation of the order-book service, by name. */
export const venueOperations = refusingUnknownNames({
  ...orderOperations,
  ...deadManOperations,
  ...bookOperations,
  ...marketOperations,
  ...historyOperations,
  ...catalogueOperations,
  ...dataOperations,
  ...accountOperations,
  ...keyOperations,
  ...walletOperations,
  ...operatorOperations,
  ...proofOperations,
  ...serviceOperations,
  ...establishedOperations,
})

export type VenueOperations = typeof venueOperations
export type VenueOperationName = keyof VenueOperations

/** Returns the row of an operation. */
export const venueRow = (name: VenueOperationName): VenueOperation => venueOperations[name]
