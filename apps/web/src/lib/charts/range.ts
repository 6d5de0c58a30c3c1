/** Stretches of time that a chart can show; the last is what a bare address means. */
export const RANGES = ['1h', '6h', '1d', '1w', '1m', 'all'] as const
export type Range = (typeof RANGES)[number]

/** Reads a stretch from an address; anything else is all there is. */
export const readRange = (value: string | null): Range => RANGES.find((range) => range === value) ?? 'all'
