import { setTimeout } from 'node:timers/promises'
import type { Row } from './row.ts'

/** What became of a row, which says itself why there is no figure; `broken` when that was a failure, `late` when it may still be running. */
export interface Attempted {
  result: Awaited<ReturnType<Row['measure']>>
  broken: boolean
  late: boolean
}

/** Measures a row for so many milliseconds at most. An error is reported in its place, so that the rows after it are measured all the same. */
export async function attempt(row: Pick<Row, 'measure'>, options: Parameters<Row['measure']>[0], patienceMs: number): Promise<Attempted> {
  const inTime = new AbortController()
  try {
    const late = setTimeout(patienceMs, null, { signal: inTime.signal })
    late.catch(() => {}) // it was in time
    const result = await Promise.race([row.measure(options), late])
    if (result !== null) return { result, broken: false, late: false }
    return { result: { why: `failed: nothing was measured within ${Math.round(patienceMs / 1000)} s` }, broken: true, late: true }
  } catch (error) {
    console.error(error)
    const [sentence] = (error instanceof Error ? error.message : String(error)).split('\n')
    return { result: { why: `failed: ${sentence}` }, broken: true, late: false }
  } finally {
    inTime.abort()
  }
}
