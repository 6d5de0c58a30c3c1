/** Iterates over all rows of a paged list. `next_cursor` is `LTE=` on the last page. */
export async function* pages<Row>(
  read: (cursor: string | undefined) => Promise<{ data: Row[]; next_cursor: string }>,
): AsyncGenerator<Row, void, void> {
  for (let cursor: string | undefined; ; ) {
    const { data, next_cursor: next } = await read(cursor)
    yield* data
    if (next === 'LTE=' || next === cursor) return
    cursor = next
  }
}
