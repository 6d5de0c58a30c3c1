/** The last migration of this release. A program may meet a database with later ones, never one that lacks it. */
export const NEWEST = {
  clob: 'Migration20261123151000_held_cost',
  platform: 'Migration20261123151500_former_tags',
}

/** PostgreSQL’s code of a table that is not there. */
const UNDEFINED_TABLE = '42P01'

/** A database that is older than the program; its message says which command mends it. */
export class NotMigrated extends Error {}

/** Throws NotMigrated where the database that `query` asks lacks what this release was written for. */
export async function requireMigrated(name: keyof typeof NEWEST, query: (sql: string) => Promise<{ name: string }[]>): Promise<void> {
  const done = await query('select name from mikro_orm_migrations order by id').catch((error) => {
    if (error.code === UNDEFINED_TABLE) return []
    throw error
  })
  if (done.some((migration) => migration.name === NEWEST[name])) return
  throw new NotMigrated(
    `the database ${name} ${done.length === 0 ? 'was never migrated' : `is older than this program: it ends with ${done.at(-1)!.name}`}, and ` +
      `${NEWEST[name]} is needed. Run npm run migrate ${name}; in a container, node packages/domain/src/migrate.ts ${name}`,
  )
}
