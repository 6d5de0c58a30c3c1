import type { Examples } from '../example.ts'
import { accountExamples } from './account.ts'
import { bookExamples } from './books.ts'
import { catalogueExamples } from './catalogue.ts'
import { dataExamples } from './data.ts'
import { deadManExamples } from './dead-man.ts'
import { keyExamples } from './keys.ts'
import { marketExamples } from './markets.ts'
import { operatorExamples } from './operator.ts'
import { orderExamples } from './orders.ts'
import { proofExamples } from './proof.ts'
import { serviceExamples } from './service.ts'

/** A request of each operation of the order-book service, with its response. */
export const venueExamples: Examples = {
  ...orderExamples,
  ...deadManExamples,
  ...bookExamples,
  ...marketExamples,
  ...dataExamples,
  ...catalogueExamples,
  ...accountExamples,
  ...keyExamples,
  ...operatorExamples,
  ...proofExamples,
  ...serviceExamples,
}
