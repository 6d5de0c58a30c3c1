import type { Source } from './read-query.ts'

const TIMELINES = `
  select coalesce((
    select case when last_seq >= position then timeline else 0 end
    from journal where stream = $1 and first_seq <= position order by first_seq desc limit 1
  ), 0) as timeline
  from unnest($2::bigint[]) with ordinality as asked (position, n) order by n`

/** The timeline on which each of these positions was written, in their order; 0 for a position that the log does not hold. */
export async function readTimelines({ pool, stream }: Source, positions: readonly number[]): Promise<number[]> {
  const { rows } = await pool.query({ name: 'timelines', text: TIMELINES, values: [stream, positions] })
  return rows.map(({ timeline }) => timeline)
}
