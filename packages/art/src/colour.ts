const channels = (hex: string) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))

/** Returns the mixture of two `#rrggbb` colours; `share` of the second one. */
export function mix(one: string, other: string, share: number): string {
  const [from, to] = [channels(one), channels(other)]
  return `#${from
    .map((value, n) =>
      Math.round(value + (to[n]! - value) * share)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
}

/** Returns the relative luminance of a `#rrggbb` colour (0…1), as WCAG defines it. */
export function luminance(hex: string): number {
  const [red, green, blue] = channels(hex).map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}

/** Returns the contrast of two `#rrggbb` colours (1…21). */
export function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (light! + 0.05) / (dark! + 0.05)
}
