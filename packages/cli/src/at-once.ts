/** Requests under way at a time: enough that nobody waits for one after the other, too few to be a crowd. */
const AT_ONCE = 8

/** What is answered for each item, in their order; several are asked for at once. The first failure is the whole's. */
export async function atOnce<Item, Result>(items: readonly Item[], ask: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  let next = 0
  const work = async () => {
    while (next < items.length) {
      const index = next++
      results[index] = await ask(items[index]!)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return results
}
