import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Migrator } from '@mikro-orm/migrations'
import { defineConfig, type EntityManager, type MigrationObject, MikroORM, type Options } from '@mikro-orm/postgresql'
import pg from 'pg'
import { PATIENCE, type Pool, poolSettings, quiet, takeBackEnded } from './pool.ts'

/** One of our databases: its entities, and the folder of its migrations. */
export interface Database {
  entities: NonNullable<Options['entities']>
  /** Absolute folder of the migrations. */
  migrations: string
  /** The last of the migrations that the initial one replaced before 0.1.0. */
  replaced: string
}

/** The first migration of each database. */
const INITIAL = 'Migration20261128180000_initial'

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
    // The ORM leaves times as text and reads them itself; what is asked past its entities gets the same Date.
    pool.options.types.setTypeParser(TIMESTAMPTZ, pg.types.getTypeParser(TIMESTAMPTZ))
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

/** The number of the type in PostgreSQL. */
const TIMESTAMPTZ = 1184

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
      await skipInitial(orm.em.fork(), database)
      await orm.migrator.up()
    })
  } finally {
    await orm.close()
  }
}

/**
 * Marks the initial migration as done in a database that has every migration it replaced. Throws when the database has only some of them.
 * Outside of a transaction, so that the migrator sees it.
 */
async function skipInitial(em: EntityManager, { replaced }: Database): Promise<void> {
  const [{ exists }] = await em.execute<[{ exists: boolean }]>("select to_regclass('mikro_orm_migrations') is not null as exists")
  if (!exists) return
  const rows = await em.execute<{ name: string }[]>('select name from mikro_orm_migrations order by id')
  const names = rows.map(({ name }) => name)
  if (names.length === 0 || names.includes(INITIAL)) return
  if (!names.includes(replaced))
    throw new Error(
      `it was made before 0.1.0 and ends with ${names.at(-1)}. Migrate it to ${replaced} with the commit that has that file; ` +
        'to start a sandbox without its data, run npm start -- --reset',
    )
  await em.execute('insert into mikro_orm_migrations (name) values (?)', [INITIAL])
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
