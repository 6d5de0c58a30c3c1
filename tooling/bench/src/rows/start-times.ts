import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startSettings } from '@augury/settings/env'
import { median } from '../interleave.ts'
import type { Row } from '../row.ts'

interface Start {
  at: string
  seconds: number
  installed: boolean
  watch: boolean
}

/** Reads what the starts of this data folder wrote down; it starts nothing itself. */
export const startTimes: Row = {
  id: '18',
  work: 'npm start: everything up, with install and without',
  target: '< 120 s · < 5 s',
  async measure() {
    const path = join(startSettings().dataDir, 'logs', 'starts.jsonl')
    if (!existsSync(path)) return { why: 'npm start has not run here yet' }
    const starts = readFileSync(path, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Start)
    const cold = starts.filter(({ installed, watch }) => installed && !watch).map(({ seconds }) => seconds)
    const warm = starts.filter(({ installed, watch }) => !installed && !watch).map(({ seconds }) => seconds)
    const figures = [
      ...(cold.length > 0 ? [{ name: `cold (median of ${cold.length})`, value: median(cold), unit: 's' }] : []),
      ...(warm.length > 0 ? [{ name: `warm (median of ${warm.length})`, value: median(warm), unit: 's' }] : []),
    ]
    const met = (cold.length === 0 || median(cold) < 120) && (warm.length === 0 || median(warm) < 5)
    return { figures, met: figures.length === 2 ? met : null }
  },
}
