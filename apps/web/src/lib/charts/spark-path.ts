/** A margin for the width of the line. */
const MARGIN = 2
/** Least range of the drawing in steps: a market that hardly moves draws a calm line. */
const LEAST_RANGE = 200

/** SVG path of prices at equal distances, in tenths of a unit; empty for fewer than two. */
export function sparkPath(prices: readonly number[], width: number, height: number): string {
  if (prices.length < 2) return ''
  const [low, high] = [Math.min(...prices), Math.max(...prices)]
  const range = Math.max(high - low, LEAST_RANGE)
  const middle = (high + low) / 2
  const tenths = (value: number) => Math.round(value * 10) / 10
  const points = prices.map((price, i) => {
    const x = (i / (prices.length - 1)) * width
    const y = height / 2 + ((middle - price) / range) * (height - 2 * MARGIN)
    return `${tenths(x)} ${tenths(y)}`
  })
  return `M${points.join('L')}`
}
