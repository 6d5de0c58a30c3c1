import { z } from 'zod'
import { book, lastTrade, sequencedBook, tokenPrices } from '../book.ts'
import { BATCH_BODY_LIMIT, TOKEN_BATCH } from '../limits.ts'
import { venueOperation } from '../operation.ts'
import { several, strictQuery } from '../query.ts'
import { anyDecimal, side, tokenText } from '../scalars.ts'
import { tokenBatch } from '../token-batch.ts'

const oneToken = strictQuery({ token_id: tokenText })
const upperSide = z.string().toUpperCase().pipe(side)
/** Several tokens by either name that clients have for them. */
const tokens = { token_id: several(TOKEN_BATCH).optional(), token_ids: several(TOKEN_BATCH).optional() }
const namesTokens = ({ token_id = [], token_ids = [] }: { token_id?: string[] | undefined; token_ids?: string[] | undefined }) =>
  token_id.length + token_ids.length > 0
const noTokens = { path: ['token_id'], error: 'name the tokens' }
/** Tokens, each with the side that is asked for; some established clients say nothing by an empty one. */
const pricedBatch = z.array(z.strictObject({ token_id: tokenText, side: z.union([upperSide, z.literal('')]).optional() })).max(TOKEN_BATCH)

/** Rows that take a batch of tokens. */
const batch = {
  method: 'POST',
  auth: 'public',
  body: tokenBatch,
  refusals: ['too_many_items'],
  bodyLimit: BATCH_BODY_LIMIT,
  repeatable: true,
} as const
/** Rows that take several tokens in the query. */
const named = { method: 'GET', auth: 'public', refusals: ['too_many_items'], repeatable: true } as const
/** Rows that take one token in the query. */
const single = { method: 'GET', auth: 'public', query: oneToken, refusals: ['unknown_token'], repeatable: true } as const

export const bookOperations = {
  getBooks: venueOperation({
    ...batch,
    path: '/books',
    summary: 'Books of many tokens, best first, at most 12 levels a side; an unknown token has an empty one.',
    output: z.array(book),
    refusals: ['too_many_items', 'rate_limited'],
    cost: 'look-up',
    shed: 'ordinary',
    rateLimit: { budget: 'books', of: 'address' },
  }),
  getBook: venueOperation({
    ...single,
    path: '/book',
    summary: 'The whole book of a token, best price last, as established clients expect.',
    output: book,
    cost: 'look-up',
    shed: 'ordinary',
  }),
  getOrderbook: venueOperation({
    ...single,
    path: '/orderbook',
    summary: 'The book of a token, best price first, with its position in the log.',
    query: strictQuery({ token_id: tokenText, depth: z.coerce.number().int().min(1).optional() }),
    output: sequencedBook,
    cost: 'look-up',
    shed: 'ordinary',
  }),
  getSpreads: venueOperation({
    ...batch,
    path: '/spreads',
    summary: 'Best ask minus best bid by token; "0" when a side is empty.',
    output: z.record(z.string(), anyDecimal),
    cost: 'read-many',
    shed: 'ordinary',
  }),
  getSpread: venueOperation({
    ...single,
    path: '/spread',
    summary: 'Best ask minus best bid.',
    output: z.object({ spread: anyDecimal }),
    cost: 'look-up',
    shed: 'ordinary',
  }),
  postLastTradesPrices: venueOperation({
    ...batch,
    path: '/last-trades-prices',
    summary: 'Last trades of many tokens; tokens that never traded are left out.',
    output: z.array(lastTrade),
    cost: 'read-many',
    shed: 'ordinary',
  }),
  getLastTradesPrices: venueOperation({
    ...named,
    path: '/last-trades-prices',
    summary: 'Last trades of the tokens named by repeated `token_id`, or by `token_ids` with commas.',
    query: strictQuery(tokens).refine(namesTokens, noTokens),
    output: z.array(lastTrade),
    cost: 'read-many',
    shed: 'ordinary',
  }),
  getLastTradePrice: venueOperation({
    ...single,
    path: '/last-trade-price',
    summary: 'Price and side of the last trade; a null price and an empty side when the token never traded.',
    output: z.object({ price: anyDecimal.nullable(), side: z.union([side, z.literal('')]) }),
    cost: 'look-up',
    shed: 'ordinary',
  }),
  getMidpoint: venueOperation({
    ...single,
    path: '/midpoint',
    summary: 'The midpoint of best bid and best ask.',
    output: z.object({ mid: anyDecimal }),
    cost: 'look-up',
    shed: 'ordinary',
  }),
  getMidpoints: venueOperation({
    ...batch,
    path: '/midpoints',
    summary: 'Midpoints by token.',
    output: z.record(z.string(), anyDecimal),
    cost: 'read-many',
    shed: 'ordinary',
  }),
  queryMidpoints: venueOperation({
    ...named,
    path: '/midpoints',
    summary: 'Midpoints of the tokens named in the query.',
    query: strictQuery(tokens).refine(namesTokens, noTokens),
    output: z.record(z.string(), anyDecimal),
    cost: 'read-many',
    shed: 'ordinary',
  }),
  getPrice: venueOperation({
    ...single,
    path: '/price',
    summary: 'BUY: best bid. SELL: best ask. Both are named in the answer; an empty side has null.',
    query: strictQuery({ token_id: tokenText, side: upperSide }),
    output: z.object({ price: anyDecimal.nullable(), best_bid: anyDecimal.nullable(), best_ask: anyDecimal.nullable() }),
    cost: 'look-up',
    shed: 'ordinary',
  }),
  getPrices: venueOperation({
    ...batch,
    path: '/prices',
    summary: 'Best bid and ask by token, narrowed to a side where one is given; an empty side has null.',
    body: pricedBatch,
    output: tokenPrices,
    cost: 'read-many',
    shed: 'ordinary',
  }),
  queryPrices: venueOperation({
    ...named,
    path: '/prices',
    summary: 'The same of the tokens named in the query; `sides` name one for each, in their order.',
    query: strictQuery({ ...tokens, sides: several(TOKEN_BATCH).pipe(z.array(upperSide)).optional() }).refine(namesTokens, noTokens),
    output: tokenPrices,
    cost: 'read-many',
    shed: 'ordinary',
  }),
}
