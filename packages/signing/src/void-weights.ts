/** The asset under which the weights of a root are hashed. No outcome token has it. */
export const WEIGHTS = new Uint8Array(33).fill(0xff)

/**
 * Returns the weights that members of an event pay when it is void: equal parts that are one together. `resolved` are the weights of the
 * members that have a result; the others share what these leave.
 */
export function voidWeights(size: number, resolved: readonly number[]): number[] {
  const open = size - resolved.length
  const rest = Math.max(0, 10_000 - resolved.reduce((sum, weight) => sum + weight, 0))
  return Array.from({ length: open }, (_, index) => Math.floor(rest / open) + (index < rest % open ? 1 : 0))
}
