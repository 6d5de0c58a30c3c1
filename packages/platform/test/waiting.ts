import type { Platform } from '../src/site/platform.ts'

/** How many locks are waited for, in this database alone: the tests of other files have theirs on the same server. */
export async function waitingIn(platform: Pick<Platform, 'em'>): Promise<number> {
  const [row]: { n: number }[] = await platform
    .em()
    .execute(
      'select count(*)::int as n from pg_locks where not granted and pid in (select pid from pg_stat_activity where datname = current_database())',
    )
  return row!.n
}
