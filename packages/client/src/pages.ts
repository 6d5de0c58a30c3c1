import { LAST_CURSOR } from '@augury/wire/limits'

/**
 * Iterates over all rows of a paged list, asking for a page when it is reached: `pages((next_cursor) => client.listOrders({ query: { next_cursor } }))`.
 * A loop that is left asks for no more.
 */
export async function* pages<Row>(
  read: (cursor: string | undefined) => Promise<{ data: Row[]; next_cursor: string }>,
): AsyncGenerator<Row, void, void> {
  for (let cursor: string | undefined; ; ) {
    const { data, next_cursor: next } = await read(cursor)
    yield* data
    if (next === LAST_CURSOR || next === cursor) return
    cursor = next
  }
}
