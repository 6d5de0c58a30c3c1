import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Migrator } from '@mikro-orm/migrations'
import { defineConfig, type MigrationObject, MikroORM, type Options } from '@mikro-orm/postgresql'
import { PATIENCE, type Pool, poolSettings, quiet, takeBackEnded } from './pool.ts'

/** One of our databases: its entities, and the folder of its migrations. */
export interface Database {
  entities: NonNullable<Options['entities']>
  /** Absolute folder of the migrations. */
  migrations: string
}

/** ORM settings for one of our databases. Entities are listed, never discovered. */
export const ormOptions = (database: Database, databaseUrl: string): Options =>
  defineConfig({
    clientUrl: databaseUrl,
    entities: database.entities,
    extensions: [Migrator],
    // Triggers and functions exist only in migrations, not in entities.
    schemaGenerator: { ignoreTriggers: true, ignoreRoutines: true },
    // One schema snapshot, written when a migration is created, never when one runs.
    migrations: { path: database.migrations, snapshotName: 'schema', snapshotOnMigrate: false, silent: true },
  })

/**
 * Opens the ORM, which connects on first use; close it to let the process end. Closing waits until every statement that was begun is
 * answered, including those that wait for a connection; stop whatever begins statements first.
 */
export async function openOrm(
  database: Database,
  databaseUrl: string,
  patience = PATIENCE,
  migrationsList?: MigrationObject[],
): Promise<MikroORM> {
  let pool: Pool | undefined
  const onPoolCreated = (created: Pool) => {
    pool = created
    takeBackEnded(pool)
  }
  // The ORM ignores the query of a URL, such as `sslmode`; the driver reads it.
  const driverOptions = { onPoolCreated, connectionString: databaseUrl, ...poolSettings(patience) }
  const options = ormOptions(database, databaseUrl)
  const orm = await MikroORM.init({ ...options, driverOptions, migrations: { ...options.migrations, migrationsList } })
  const close = orm.close.bind(orm)
  orm.close = async (force) => {
    if (pool) await quiet(pool)
    await close(force)
  }
  return orm
}

/** Oldest supported PostgreSQL, as in `server_version_num`: the migrations use its functions. */
const OLDEST = 180000

/**
 * Migrates a database to the newest migration. Throws when its server is too old. Safe to run twice at once: the second waits, then finds
 * nothing to do.
 */
export async function migrate(database: Database, databaseUrl: string): Promise<void> {
  const orm = await openOrm(database, databaseUrl, {}, await migrationsIn(database.migrations)) // no time limits: building an index takes as long as it takes
  try {
    await orm.em.fork().transactional(async (em) => {
      const [server] = await em.execute<[{ number: number; name: string }]>(
        "select current_setting('server_version_num')::int as number, current_setting('server_version') as name",
      )
      if (server.number < OLDEST) throw new Error(`PostgreSQL 18 or newer is needed; this one is ${server.name}.`)
      await em.execute("select pg_advisory_xact_lock(hashtext('augury migrations'))")
      await orm.migrator.up()
    })
  } finally {
    await orm.close()
  }
}

/**
 * The migrations of a folder, in order. Left to itself the ORM looks for them with a glob: in a folder whose path has brackets or
 * parentheses it finds none, and calls an empty database up to date.
 */
async function migrationsIn(folder: string): Promise<MigrationObject[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.ts')).sort()
  return Promise.all(
    files.map(async (file) => {
      const [migration] = Object.values<MigrationObject['class']>(await import(pathToFileURL(join(folder, file)).href))
      return { name: file.slice(0, -'.ts'.length), class: migration! }
    }),
  )
}
