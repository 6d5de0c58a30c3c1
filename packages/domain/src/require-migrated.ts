/** The last migration of each database in this release. A program may run on a database with later ones, never on one that lacks it. */
export const NEWEST = {
  clob: 'Migration20261129010000_posted_roots',
  platform: 'Migration20261129050000_approved_withdrawals',
}

/** PostgreSQL's error code for a missing table. */
const UNDEFINED_TABLE = '42P01'

/** The database is older than the program; the message names the command to run. */
export class NotMigrated extends Error {}

/** Throws NotMigrated when the database that `query` reads lacks the last migration of this release. */
export async function requireMigrated(name: keyof typeof NEWEST, query: (sql: string) => Promise<{ name: string }[]>): Promise<void> {
  const done = await query('select name from mikro_orm_migrations order by id').catch((error) => {
    if (error.code === UNDEFINED_TABLE) return []
    throw error
  })
  if (done.some((migration) => migration.name === NEWEST[name])) return
  throw new NotMigrated(
    `the database ${name} ${done.length === 0 ? 'was never migrated' : `is older than this program: it ends with ${done.at(-1)!.name}`}, and ` +
      `${NEWEST[name]} is needed. Run npm run migrate ${name}; in a container, node /augury/packages/domain/src/migrate.ts ${name}`,
  )
}
