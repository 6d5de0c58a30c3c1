import type { Book, SequencedBook } from '@augury/wire/book'
import { ServiceError } from '@augury/wire/service-error'
import type { TokenBatch } from '@augury/wire/token-batch'
import type { Token } from '../../base/books.ts'
import type { Visitor } from '../access/identity.ts'
import type { Context } from './context.ts'

/** The token with this id in a registered market. Throws `unknown_token`. */
export function tokenOf(ctx: Context, id: string): Token {
  const token = findToken(ctx, id)
  if (!token) throw new ServiceError('unknown_token')
  return token
}

/** The same, or null. */
export function findToken(ctx: Context, id: string): Token | null {
  const token = ctx.markets.token(id)
  return token && ctx.books.has(token.condition) ? token : null
}

/** Ids of a batch, each once, in the order of their first mention. */
export const tokenIds = (batch: TokenBatch): string[] => [...new Set(batch.map(({ token_id }) => token_id))]

/** The book of an unknown token. */
export const emptyBook = (id: string): Book => ({
  market: '',
  asset_id: id,
  timestamp: '0',
  hash: '',
  bids: [],
  asks: [],
  min_order_size: '0',
  tick_size: '0',
  neg_risk: false,
  last_trade_price: '',
})

/** Displayed books of many tokens: best first, at most BOOK_LEVELS levels a side, at prices that can be executed. */
export async function getBooks(ctx: Context, _: Visitor, { body }: { body: TokenBatch }): Promise<Book[]> {
  return tokenIds(body).map((id) => {
    const token = findToken(ctx, id)
    return token ? ctx.books.book(token, 'displayed') : emptyBook(id)
  })
}

/** The whole book of a token, best last. */
export async function getBook(ctx: Context, visitor: Visitor, { query }: { query: { token_id: string } }): Promise<Book> {
  const token = tokenOf(ctx, query.token_id)
  visitor.answerHeaders['X-Book-Seq'] = String(ctx.books.version(token.condition).seq)
  return ctx.books.book(token, 'best_last')
}

/** The book of a token, best first, with its log position. */
export async function getOrderbook(
  ctx: Context,
  _: Visitor,
  { query }: { query: { token_id: string; depth?: number | undefined } },
): Promise<SequencedBook> {
  const token = tokenOf(ctx, query.token_id)
  const { seq } = ctx.books.version(token.condition)
  return { ...ctx.books.book(token, 'best_first', query.depth), seq, epoch: ctx.venue.timeline }
}
