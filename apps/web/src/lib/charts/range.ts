/** Ranges of a chart; the last is the default. */
export const RANGES = ['1h', '6h', '1d', '1w', '1m', 'all'] as const
export type Range = (typeof RANGES)[number]

/** Parses a range of a query; anything else means all. */
export const readRange = (value: string | null): Range => RANGES.find((range) => range === value) ?? 'all'
