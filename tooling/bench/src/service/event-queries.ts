import { anonymous } from '@augury/platform/authorization/viewer'
import { listEvents } from '@augury/platform/events/list-events'
import { openPlatform } from '@augury/platform/site/platform'
import { processorTime } from './processor.ts'

// What every kind of question for a page of events costs, uncached: milliseconds of the program's processor time, and of the database's
// connections, what it costs to ask for that among it. Usage: node event-queries.ts <database> [most milliseconds]
// [times each]. Prints the dearest first.
const [databaseUrl = '', most = '50', times = '3'] = process.argv.slice(2)

const SORTS = ['trending', 'volume', 'created_at', 'end_date'] as const
const STATUSES = ['active', 'resolved'] as const
const FILTERS: Record<string, { tag?: string; mainTag?: string; search?: string }> = {
  everything: {},
  new: { tag: 'new' },
  'a tag': { tag: 'tag-7' },
  'a main tag': { mainTag: 'tag-3' },
  'no such tag': { tag: 'none' },
  'a common word': { search: 'will number' },
  'a rare word': { search: 'number 4711' },
  'words that nothing has': { search: 'xyzzy number' },
  'common words that rarely meet': { search: 'of 41 before 30' },
  'two letters': { search: 'om' },
  'a word in a tag': { tag: 'tag-7', search: 'number' },
  'a word in a main tag': { mainTag: 'tag-3', search: '17' },
}
const OFFSETS = [0, 10_000]

const platform = await openPlatform(databaseUrl)
/** Seconds of processor time of all connections to the database. */
async function databaseTime(): Promise<number> {
  const backends: { pid: number }[] = await platform
    .em()
    .execute(`select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend'`)
  return backends.reduce((sum, { pid }) => sum + processorTime(pid).all, 0)
}
const lines: { what: string; program: number; database: number; rows: number }[] = []
for (const status of STATUSES)
  for (const sort of SORTS)
    for (const [name, filter] of Object.entries(FILTERS))
      for (const offset of OFFSETS) {
        const query = { tag: 'trending', locale: 'en', limit: 32, offset, status, sort, bookmarked: false, ...filter }
        const one = { what: `${name}, ${status}, by ${sort}, from ${offset}`, program: Number.POSITIVE_INFINITY, database: 0, rows: 0 }
        for (let time = 0; time < Number(times); time++) {
          const before = [await databaseTime(), processorTime(process.pid).all] as const
          one.rows = (await listEvents(platform, anonymous, { query } as never)).length
          const program = processorTime(process.pid).all - before[1]
          if (program * 1000 < one.program) one.program = program * 1000
          const database = ((await databaseTime()) - before[0]) * 1000
          one.database = time === 0 ? database : Math.min(one.database, database)
        }
        lines.push(one)
      }
lines.sort((a, b) => b.program + b.database - a.program - a.database)
const line = ({ what, program, database, rows }: (typeof lines)[number]) =>
  `${(program + database).toFixed(1).padStart(7)} ms (program ${program.toFixed(1)}, database ${database.toFixed(1)})  ${what}: ${rows} rows`
console.log(lines.slice(0, 40).map(line).join('\n'))
const above = lines.filter(({ program, database }) => program + database > Number(most))
console.log(`${lines.length} kinds of questions, ${above.length} above ${most} ms of processor time`)
await platform.close()
