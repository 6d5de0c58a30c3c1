import type { ProfitPoint } from '@augury/wire/data'

/** What was gained over points of profit; null without any. */
export function gainOver(points: ProfitPoint[] | null): number | null {
  const [first, last] = [points?.[0], points?.at(-1)]
  return first && last ? last.profit - first.profit : null
}
