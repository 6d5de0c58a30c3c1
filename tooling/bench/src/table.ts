import type { Row } from './row.ts'

type Line = { row: Pick<Row, 'id' | 'work' | 'target'>; result: Awaited<ReturnType<Row['measure']>> }

/** The table of results as Markdown: the first figure is ours, every other one stands with how many times of it ours is. */
export function renderTable(lines: Line[]): string {
  const cells = lines.map(({ row, result }) =>
    'why' in result
      ? [row.id, row.work, '–', result.why, row.target, '–']
      : [row.id, row.work, ...columns(result), row.target, verdict(result)],
  )
  const table = [['#', 'Work', 'Ours', 'Beside it (ours ÷ theirs)', 'Target', 'Met'], ['---', '---', '---', '---', '---', '---'], ...cells]
  return table.map((line) => `| ${line.join(' | ')} |`).join('\n')
}

/** The floor first, because that decides; a missed aim is said and changes nothing about it. */
function verdict({ met, aim }: Exclude<Line['result'], { why: string }>): string {
  const floor = met === null ? [] : [met ? 'yes' : 'no']
  const hope = aim === undefined ? [] : [aim ? 'aim reached' : 'aim missed']
  return [...floor, ...hope].join(', ') || '–'
}

function columns({ figures, note }: Exclude<Line['result'], { why: string }>): [string, string] {
  const [ours, ...others] = figures
  if (ours === undefined) return ['–', note ?? '']
  const comparable = ours.name === 'ours'
  const beside = others.map(
    ({ name, value, unit }) => `${name} ${rounded(value)} ${unit}${comparable ? ` (${rounded(ours.value / value)} ×)` : ''}`,
  )
  return [`${comparable ? '' : `${ours.name} `}${rounded(ours.value)} ${ours.unit}`, [...beside, ...(note ? [note] : [])].join(' · ')]
}

const rounded = (value: number) => (value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toPrecision(2))
