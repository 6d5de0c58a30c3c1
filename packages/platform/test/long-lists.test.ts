import { eventually } from '@augury/testing/eventually'
import { fc } from '@augury/testing/properties'
import { platformOperations } from '@augury/wire/platform/operations'
import { beforeAll, expect, test } from 'vitest'
import { anonymous } from '../src/authorization/viewer.ts'
import { cutPage } from '../src/events/event-rows.ts'
import { listEvents, SEEN, SORTS, STATUSES } from '../src/events/list-events.ts'
import { testPlatform } from './test-platform.ts'

const { platform } = await testPlatform()
const { query: schema } = platformOperations.listEvents

/** Words and how rarely they occur (every nth title), which covers all ways to find a page. */
const WORDS = { zeb: 1, zebra: 1, xy: 2, wxyz: 3, '7': 5, half: 6, halfway: 8, qz: 10, some: 11, rare: 60, vw: 90, once: 3000 }

beforeAll(async () => {
  const em = platform.em()
  await em.execute(`insert into tag (slug, name) values ('a-tag', 'A tag')`)
  const words = Object.entries(WORDS).map(([word, share]) => `case when n % ${share} = 0 then ' ${word.toUpperCase()}' else '' end`)
  await em.execute(
    `insert into event (slug, title, creator, status, resolved_at, volume, end_date, created_at, is_shown, hidden_at)
     select 'event-' || translate(n::text, '0123456789', 'abcdefghij'), 'No ' || hashint4(n) || ${words.join(' || ')}, '0x' || repeat('c1', 20),
       case when n % 7 = 0 then 'resolved' when n % 17 = 0 then 'archived' when n % 19 = 0 then 'draft' else 'active' end,
       case when n % 7 = 0 then now() end, 1000 * (n * 37 % 3001),
       now() + n * 83 % 3001 * interval '1 s', now() - n * 59 % 3001 * interval '1 s', n % 29 > 0, case when n % 31 = 0 then now() end
     from generate_series(1, 3000) n`,
  )
  await em.execute(`insert into event_tag (event_id, tag_id, position) select event.id, tag.id, 0 from event, tag where volume % 4000 = 0`)
  // Whatever else looks at the database, as the server does of itself, keeps rows from counting as seen by all: indexes alone are dear then.
  await eventually(async () => {
    await em.execute('vacuum analyze')
    expect(await em.execute(`select relallvisible = relpages as seen from pg_class where relname = 'event'`)).toEqual([{ seen: true }])
  })
})

const found = async (query: Record<string, string>) =>
  (await listEvents(platform, anonymous, { query: schema.parse(query) })).map(({ slug }) => slug)

/** The expected result, from a scan of all titles: by rank when the list trends, then in its order. */
async function expected(search: string, [status, sort]: string[], tag: string | undefined, [limit, offset]: number[]): Promise<string[]> {
  const words = search.split(' ').filter(Boolean)
  const has = (end: string) => words.map((word) => `title ~* '\\m${word}${end}'`).join(' and ') || 'true'
  const rank = words.length > 0 && sort === 'trending' ? `not (${has('\\M')}), event.status <> 'active', ` : ''
  const rows: { slug: string }[] = await platform.em().execute(
    `select slug from event where is_shown and hidden_at is null and ${has('')}
       ${tag ? `and exists (select from event_tag where event_id = event.id)` : ''}
       and status in (select jsonb_array_elements_text(${`'${JSON.stringify(STATUSES.get(status!))}'`}::jsonb))
     order by ${rank}${SORTS.get(sort!)} limit ${limit} offset ${offset}`,
  )
  return rows.map(({ slug }) => slug)
}

test('for any word frequency and offset, the page equals that of a full scan', async () => {
  const question = fc.record({
    words: fc.uniqueArray(fc.constantFrom(...Object.keys(WORDS), '1', '12', '123', 'no', 'ze', 'hal', 'q'), { maxLength: 3 }),
    status: fc.constantFrom(...STATUSES.keys()),
    sort: fc.constantFrom(...SORTS.keys()),
    tag: fc.constantFrom(undefined, 'a-tag'),
    limit: fc.integer({ min: 1, max: 5 }),
    offset: fc.oneof(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 3000 })),
  })
  await fc.assert(
    fc.asyncProperty(question, async ({ words, status, sort, tag, limit, offset }) => {
      const search = words.join(' ')
      const page = await found({ search, status, sort, ...(tag ? { tag } : {}), limit: String(limit), offset: String(offset) })
      expect(page).toEqual(await expected(search, [status, sort], tag, [limit, offset]))
    }),
    { numRuns: 150 },
  )
})

test.each([...SORTS].flatMap(([sort, order]) => [...STATUSES].map(([status, statuses]) => [status, sort, order, statuses] as const)))(
  'a list of %s by %s is walked in its index alone',
  async (_, __, order, statuses) => {
    const { sql, values } = cutPage([SEEN], { order, statuses, limit: 32, offset: 100 })
    const rows: { 'QUERY PLAN': string }[] = await platform.em().execute(`explain ${sql}`, values)
    const plan = rows.map((row) => row['QUERY PLAN'].trim()).join('\n')
    // The limit is applied without sorting.
    expect(plan.match(/Limit .*\n-> {2}Index Only Scan using event_by_\w+ on event/g)).toHaveLength(statuses.length)
  },
)
