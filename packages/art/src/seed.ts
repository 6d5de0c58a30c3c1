/** Returns a 32-bit hash of a text (FNV-1a). The same text always gives the same picture. */
export function seedOf(text: string): number {
  let hash = 0x811c9dc5
  for (const character of text) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return (hash ^ (hash >>> 13)) >>> 0
}

/** Returns a function that deals numbers below a bound out of a seed. */
export function dealer(seed: number): (below: number) => number {
  let state = seed | 1
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return (state >>> 8) % below
  }
}
