import type { Position } from '@augury/wire/data'

/** What the site knows of an event in which somebody holds shares: its title, and the path of its picture. */
export interface HeldEvent {
  title: string
  picture: string
}

/** Positions of one event, and what they come to. Sums in USDC; `percent` is the profit in percent of the cost, of what has a price. */
export interface PositionGroup {
  slug: string
  event: HeldEvent | null
  rows: Position[]
  value: number
  win: number
  profit: number
  percent: number | null
}

/** What positions are sorted by. */
export type PositionColumn = 'value' | 'win' | 'pnl' | 'title' | 'size' | 'average' | 'price'

const keyOf: Record<PositionColumn, (row: Position) => string | number> = {
  value: (row) => row.currentValue,
  win: (row) => row.size,
  pnl: (row) => row.cashPnl,
  title: (row) => row.title,
  size: (row) => row.size,
  average: (row) => row.avgPrice,
  price: (row) => row.curPrice ?? -1,
}
const groupKeyOf: Partial<Record<PositionColumn, (group: PositionGroup) => string | number>> = {
  value: ({ value }) => value,
  win: ({ win }) => win,
  pnl: ({ profit }) => profit,
  title: ({ event, rows }) => event?.title ?? rows[0]!.title,
}

const compared = (x: string | number, y: string | number): number => (x < y ? -1 : x > y ? 1 : 0)

/**
 * Groups positions by event, and sorts the positions of each event and the events by the same column: events by their sums, or where a column has
 * none, by their first position.
 */
export function positionGroups(
  positions: readonly Position[],
  events: Readonly<Record<string, HeldEvent>>,
  { by, up }: { by: PositionColumn; up: boolean },
): PositionGroup[] {
  const way = up ? 1 : -1
  const sorted = positions.toSorted((a, b) => compared(keyOf[by](a), keyOf[by](b)) * way)
  const groups = [...Map.groupBy(sorted, ({ eventSlug }) => eventSlug)].map(([slug, rows]) => groupOf(slug, rows, events[slug] ?? null))
  const key = groupKeyOf[by]
  return key ? groups.toSorted((a, b) => compared(key(a), key(b)) * way) : groups
}

function groupOf(slug: string, rows: Position[], event: HeldEvent | null): PositionGroup {
  const sum = (of: readonly Position[], figure: (row: Position) => number) => of.reduce((total, row) => total + figure(row), 0)
  const priced = rows.filter((row) => row.priced)
  const cost = sum(priced, (row) => row.initialValue)
  const profit = sum(priced, (row) => row.cashPnl)
  return {
    slug,
    event,
    rows,
    value: sum(rows, (row) => row.currentValue),
    win: mostPaid(rows),
    profit,
    percent: cost > 0 ? (100 * profit) / cost : null,
  }
}

/**
 * The most that positions of an event pay: of each market one outcome wins, and where the markets exclude each other, at most one Yes. What a
 * position pays beside the others is counted by trying each market as the winner, and none.
 */
function mostPaid(rows: readonly Position[]): number {
  const open = rows.filter(({ redeemable }) => !redeemable)
  const markets = [...Map.groupBy(open, ({ conditionId }) => conditionId).values()]
  const held = markets.map((of) => {
    const shares = (index: 0 | 1) => of.reduce((sum, row) => sum + (row.outcomeIndex === index ? row.size : 0), 0)
    return { yes: shares(0), no: shares(1) }
  })
  if (!open.some(({ negativeRisk }) => negativeRisk)) return held.reduce((sum, { yes, no }) => sum + Math.max(yes, no), 0)
  const allNo = held.reduce((sum, { no }) => sum + no, 0)
  return Math.max(allNo, ...held.map(({ yes, no }) => allNo - no + yes))
}
