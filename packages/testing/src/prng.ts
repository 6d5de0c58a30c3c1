/** A seeded random number generator. */
export interface Prng {
  /** 0 ≤ x < 1. */
  unit(): number
  /** An integer, lowest ≤ x ≤ highest. */
  integer(lowest: number, highest: number): number
  /** True with the given probability. */
  chance(probability: number): boolean
  /** One of the items, all equally likely. Throws on an empty list. */
  pick<Item>(items: readonly Item[]): Item
}

/** The generator sfc32, seeded with one integer. The same seed gives the same numbers on every machine. */
export function prng(seed: number): Prng {
  let a = 0x9e3779b9
  let b = 0x243f6a88
  let c = seed | 0
  let counter = Math.floor(seed / 2 ** 32) | 1

  function next(): number {
    const sum = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    return sum >>> 0
  }
  for (let warm = 0; warm < 15; warm++) next() // so that near seeds diverge

  const unit = () => next() / 2 ** 32
  const integer = (lowest: number, highest: number) => lowest + Math.floor(unit() * (highest - lowest + 1))
  return {
    unit,
    integer,
    chance: (probability) => unit() < probability,
    pick(items) {
      if (items.length === 0) throw new Error('nothing to pick from')
      return items[integer(0, items.length - 1)]!
    },
  }
}
