const round = (value: number) => Math.round(value * 100) / 100

/** Returns the points of a star around a centre: `points` long rays and as many short ones. */
export function star(x: number, y: number, radius: number, points = 5, inner = points === 5 ? 0.4 : 0.5): string {
  const at = (turn: number, length: number) =>
    `${round(x + length * Math.sin(turn * Math.PI * 2))},${round(y - length * Math.cos(turn * Math.PI * 2))}`
  return Array.from({ length: points * 2 }, (_, n) => at(n / (points * 2), n % 2 === 0 ? radius : radius * inner)).join(' ')
}

/** Returns a polygon of a colour. */
export const polygon = (points: string, fill: string): string => `<polygon points='${points}' fill='${fill}'/>`
/** Returns a rectangle of a colour. */
export const rect = (x: number, y: number, width: number, height: number, fill: string): string =>
  `<rect x='${round(x)}' y='${round(y)}' width='${round(width)}' height='${round(height)}' fill='${fill}'/>`
/** Returns a disc of a colour. */
export const disc = (x: number, y: number, radius: number, fill: string): string =>
  `<circle cx='${round(x)}' cy='${round(y)}' r='${round(radius)}' fill='${fill}'/>`
/** Returns a path of a colour. */
export const path = (d: string, fill: string): string => `<path d='${d}' fill='${fill}'/>`
/** Returns a stroked path. */
export const line = (d: string, stroke: string, width: number, cap = 'round'): string =>
  `<path d='${d}' fill='none' stroke='${stroke}' stroke-width='${width}' stroke-linecap='${cap}' stroke-linejoin='round'/>`
/** Returns the points of `count` places on a circle. */
export const around = (x: number, y: number, radius: number, count: number): [number, number][] =>
  Array.from({ length: count }, (_, n) => [
    round(x + radius * Math.sin((n / count) * Math.PI * 2)),
    round(y - radius * Math.cos((n / count) * Math.PI * 2)),
  ])
