/** Something whose speed is compared with others'. */
export interface Contender {
  name: string
  /** One round: does the work and resolves with the figure. */
  round(): number | Promise<number>
}

/** Median of a non-empty list. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/**
 * Runs all contenders in every round, each round beginning with another one, and gives the median of each. What the machine does
 * meanwhile hits all of them alike, so their ratios mean something where the figures alone would not.
 */
export async function interleave(contenders: readonly Contender[], rounds: number): Promise<Map<string, number>> {
  const figures = new Map<string, number[]>(contenders.map(({ name }) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (let n = 0; n < contenders.length; n++) {
      const { name, round: run } = contenders[(round + n) % contenders.length]!
      figures.get(name)!.push(await run())
    }
  }
  return new Map([...figures].map(([name, values]) => [name, median(values)]))
}
