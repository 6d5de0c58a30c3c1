/** Maximum concurrent requests. */
const MAX_CONCURRENT = 8

/** Maps items with limited concurrency; results are in the order of the items. Rejects with the first failure. */
export async function mapConcurrently<Item, Result>(items: readonly Item[], ask: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  let next = 0
  const work = async () => {
    while (next < items.length) {
      const index = next++
      results[index] = await ask(items[index]!)
    }
  }
  await Promise.all(Array.from({ length: MAX_CONCURRENT }, work))
  return results
}
