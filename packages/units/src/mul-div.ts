/** ⌊a·b / c⌋ for non-negative safe integers, exact even where a·b exceeds 2^53. Throws a `RangeError` beyond safe integers. */
export function mulDiv(a: number, b: number, c: number): number {
  const product = a * b
  if (product <= Number.MAX_SAFE_INTEGER) return Math.floor(product / c)
  const result = Number((BigInt(a) * BigInt(b)) / BigInt(c))
  if (!Number.isSafeInteger(result)) throw new RangeError(`${a}·${b}/${c} is not a safe integer`)
  return result
}

/** a·b / c rounded half up, for non-negative safe integers. Throws as `mulDiv`. */
export function mulDivHalfUp(a: number, b: number, c: number): number {
  const result = Number((BigInt(a) * BigInt(b) * 2n + BigInt(c)) / (BigInt(c) * 2n))
  if (!Number.isSafeInteger(result)) throw new RangeError(`${a}·${b}/${c} is not a safe integer`)
  return result
}
