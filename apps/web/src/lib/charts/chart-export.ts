import { CSV_MARK, csvOf } from '@augury/platform/admin/csv'
import { chance } from '#lib/language/numbers.ts'
import { type Line, lineDashes, lineToken } from './lines.ts'

/** Downloads a URL as a file. */
function save(name: string, url: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}

/** The points of a chart as CSV: a row per moment, times in UTC, chances from 0 to 1. */
export function chartCsv(lines: readonly Line[]): string {
  const moments = [...new Set(lines.flatMap(({ points }) => points.map(({ t }) => t)))].sort((a, b) => a - b)
  const columns = lines.map(({ points }) => new Map(points.map(({ t, p }) => [t, p])))
  const last: (number | '')[] = lines.map(() => '')
  const rows = moments.map((t) => {
    columns.forEach((column, i) => {
      last[i] = column.get(t) ?? last[i]!
    })
    return [new Date(t).toISOString(), ...last]
  })
  return csvOf([['time', ...lines.map((line) => line.name)], ...rows])
}

/** Downloads the points of a chart as CSV. */
export const saveCsv = (name: string, lines: readonly Line[]): void =>
  save(`${name}.csv`, `data:text/csv;charset=utf-8,${encodeURIComponent(CSV_MARK + chartCsv(lines))}`)

const WIDTH = 1200
const HEIGHT = 630
const EDGE = 64

/** Downloads a chart as a PNG in the size of link previews, in the colours of the page. */
export function savePng(name: string, title: string, lines: readonly Line[]): void {
  const canvas = document.createElement('canvas')
  canvas.width = WIDTH
  canvas.height = HEIGHT
  const pen = canvas.getContext('2d')
  if (!pen) return
  const probe = document.createElement('span')
  document.body.append(probe)
  const colour = (token: string) => {
    probe.style.color = `var(${token})`
    return getComputedStyle(probe).color
  }
  pen.fillStyle = colour('--surface')
  pen.fillRect(0, 0, WIDTH, HEIGHT)
  pen.fillStyle = colour('--text')
  pen.font = '600 36px Inter, sans-serif'
  pen.fillText(title.length > 60 ? `${title.slice(0, 59)}…` : title, EDGE, 80, WIDTH - 2 * EDGE)
  const points = lines.flatMap((line) => line.points)
  const [from, to] = [Math.min(...points.map(({ t }) => t)), Math.max(...points.map(({ t }) => t))]
  const high = Math.min(1, Math.max(...points.map(({ p }) => p)) + 0.05)
  const low = Math.max(0, Math.min(...points.map(({ p }) => p)) - 0.05)
  const x = (t: number) => EDGE + ((t - from) / Math.max(1, to - from)) * (WIDTH - 2 * EDGE - 80)
  const y = (p: number) => 190 + ((high - p) / Math.max(0.01, high - low)) * (HEIGHT - 260)
  const column = Math.min(270, (WIDTH - 2 * EDGE) / lines.length)
  lines.forEach((line, i) => {
    pen.strokeStyle = pen.fillStyle = colour(lineToken(line.place))
    pen.lineWidth = 4
    pen.setLineDash(
      lineDashes(lines, line)
        .split(' ')
        .map((length) => 2 * Number(length) || 0),
    )
    pen.beginPath()
    line.points.forEach(({ t, p }, j) => {
      if (j > 0) pen.lineTo(x(t), y(line.points[j - 1]!.p))
      else pen.moveTo(x(t), y(p))
      pen.lineTo(x(t), y(p))
    })
    pen.stroke()
    const end = line.points.at(-1)
    pen.font = '600 24px Inter, sans-serif'
    if (end) pen.fillText(chance(end.p * 100), x(end.t) + 12, y(end.p) + 8)
    pen.fillText(line.name.slice(0, 18), EDGE + i * column, 132, column - 15)
  })
  probe.remove()
  save(`${name}.png`, canvas.toDataURL('image/png'))
}
