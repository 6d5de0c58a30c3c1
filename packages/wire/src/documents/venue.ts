import { hold } from '../balance.ts'
import { book, lastTrade, level, sequencedBook } from '../book.ts'
import { cancelManyResult, cancelResult } from '../cancel-result.ts'
import {
  catalogueEvent,
  catalogueEventBrief,
  catalogueEventMarket,
  catalogueMarket,
  catalogueSearch,
  catalogueSeries,
  catalogueTag,
} from '../catalogue.ts'
import { conditionMetadata } from '../condition-request.ts'
import { credentials } from '../credentials.ts'
import { market, marketEvent, marketToken, simplifiedMarket } from '../market.ts'
import type { Operation, Schema } from '../operation.ts'
import { accountOperations } from '../operations/account.ts'
import { bookOperations } from '../operations/books.ts'
import { catalogueOperations } from '../operations/catalogue.ts'
import { dataOperations } from '../operations/data.ts'
import { deadManOperations } from '../operations/dead-man.ts'
import { establishedOperations } from '../operations/established.ts'
import { historyOperations } from '../operations/history.ts'
import { keyOperations } from '../operations/keys.ts'
import { marketOperations } from '../operations/markets.ts'
import { operatorOperations } from '../operations/operator.ts'
import { orderOperations } from '../operations/orders.ts'
import { proofOperations } from '../operations/proof.ts'
import { serviceOperations } from '../operations/service.ts'
import { venueOperations } from '../operations/venue.ts'
import { walletOperations } from '../operations/wallets.ts'
import { order, orderLookup } from '../order.ts'
import { orderBatch, orderBody, plainOrder, signedBodyV1, signedBodyV2 } from '../order-body.ts'
import { orderResult, refusedLeg, replaceResult } from '../order-result.ts'
import { assetProof, balanceProof, fact, leafPiece, postedRoot, rootWeight, signedRoot } from '../proof.ts'
import { serviceStatus } from '../service-status.ts'
import { makerOrder, ownTrade, publicTrade } from '../trade.ts'
import { asyncApiDocument } from './asyncapi.ts'
import { streamExamples } from './examples/streams.ts'
import { venueExamples } from './examples/venue.ts'
import type { Json } from './json-schema.ts'
import { openApiDocument } from './openapi.ts'
import { venueStreams } from './streams.ts'

const named: Readonly<Record<string, Schema>> = {
  AssetProof: assetProof,
  BalanceProof: balanceProof,
  Book: book,
  BookLevel: level,
  CancelManyResult: cancelManyResult,
  CancelResult: cancelResult,
  CatalogueEvent: catalogueEvent,
  CatalogueEventBrief: catalogueEventBrief,
  CatalogueEventMarket: catalogueEventMarket,
  CatalogueMarket: catalogueMarket,
  CatalogueSearch: catalogueSearch,
  CatalogueSeries: catalogueSeries,
  CatalogueTag: catalogueTag,
  ConditionMetadata: conditionMetadata,
  Credentials: credentials,
  Fact: fact,
  Hold: hold,
  LastTrade: lastTrade,
  MakerOrder: makerOrder,
  Market: market,
  MarketEvent: marketEvent,
  MarketToken: marketToken,
  Order: order,
  OrderLookup: orderLookup,
  OrderRequest: orderBody,
  OrderResult: orderResult,
  OwnTrade: ownTrade,
  PlainOrder: plainOrder,
  RefusedLeg: refusedLeg,
  ReplaceResult: replaceResult,
  SequencedBook: sequencedBook,
  ServiceStatus: serviceStatus,
  SignedOrderV1: signedBodyV1,
  SignedOrderV2: signedBodyV2,
  SignedRoot: signedRoot,
  PostedRoot: postedRoot,
  LeafPiece: leafPiece,
  RootWeight: rootWeight,
  SimplifiedMarket: simplifiedMarket,
  Trade: publicTrade,
}

const sections = {
  Orders: orderOperations,
  'Dead-man switch': deadManOperations,
  Books: bookOperations,
  Markets: marketOperations,
  History: historyOperations,
  Data: dataOperations,
  Catalogue: catalogueOperations,
  Account: accountOperations,
  Keys: keyOperations,
  Wallets: walletOperations,
  Operator: operatorOperations,
  Proof: proofOperations,
  Service: serviceOperations,
  'Established clients': establishedOperations,
}

/** A batch accepts any leg, to refuse invalid ones individually; it is documented as taking orders. */
const readAs = new Map<Schema, Schema>([[orderBatch, orderBody.or(orderBody.array().min(1).max(15))]])

const DESCRIPTION = `Prices are decimals of USDC per share, sizes decimals of shares, both as text; amounts that are called micros are millionths.

**Signed requests** carry five headers. The signature is the URL-safe Base64 of the HMAC-SHA256, under the Base64-decoded secret of the
key, of the timestamp in Unix seconds, the method in capitals, the path, and the body, without anything between. The query is not signed for
GET; for other methods it is part of the path.

**Refusals** have a status, a text for people and a \`code\` of a closed list for programs. Nothing of a refused request took
effect, but for \`internal_error\` and \`outcome_unknown\`: it is not known whether such a request took effect.
After these, or when no answer came, send the same bytes again: operations that are \`x-repeatable\` then do nothing twice.

When there is more to do than can be done, orders are turned away first (503 \`overloaded\`, with \`Retry-After\`), cancels and what asks for
one's own state last. Of one account's requests for lists and batches, or one address's, two are worked on at a time; others wait.

The same operations are procedures of tRPC at \`/trpc\`, signed alike. Streams: \`/asyncapi.json\`.`

/** Every route of the order-book service as OpenAPI 3.1, with those of the sandbox if it is one. */
export const venueOpenApi = ({ url, sandbox }: { url: string; sandbox: boolean }): Json =>
  openApiDocument({
    title: 'Augury exchange',
    description: DESCRIPTION,
    url,
    operations: Object.fromEntries(Object.entries<Operation>(venueOperations).filter(([, operation]) => sandbox || !operation.sandbox)),
    sections,
    always: ['overloaded', 'service_unavailable'],
    examples: venueExamples,
    named,
    readAs,
  })

/** Every stream of the order-book service as AsyncAPI 3.0. */
export const venueAsyncApi = ({ url }: { url: string }): Json =>
  asyncApiDocument({
    title: 'Augury exchange: streams',
    description:
      'Every message carries its position in the log of the exchange. Clients answer nothing but what they ask for; the text `PING` is answered `PONG`.',
    url,
    streams: venueStreams,
    examples: streamExamples,
    named: { BookLevel: level },
  })
