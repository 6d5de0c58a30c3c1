import { Migrator } from '@mikro-orm/migrations'
import { defineConfig, MikroORM, type Options } from '@mikro-orm/postgresql'
import { PATIENCE, type Pool, poolSettings, quiet, takeBackEnded } from './pool.ts'

/** One of our databases: its entities and where its migrations lie. */
export interface Database {
  entities: NonNullable<Options['entities']>
  /** Absolute folder of the migrations. */
  migrations: string
}

/** Settings of the ORM for one of our databases. Entities are listed, never searched for. */
export const ormOptions = (database: Database, databaseUrl: string): Options =>
  defineConfig({
    clientUrl: databaseUrl,
    entities: database.entities,
    extensions: [Migrator],
    // Triggers and functions are written in migrations: entities say nothing of them.
    schemaGenerator: { ignoreTriggers: true, ignoreRoutines: true },
    // One snapshot file, written when a migration is created, never when one runs.
    migrations: { path: database.migrations, snapshotName: 'schema', snapshotOnMigrate: false, silent: true },
  })

/**
 * Connects on first use; close it to let the process end. Closing waits for what is under way: every statement that was begun is answered,
 * also those that wait for a connection. Stop what begins statements before.
 */
export async function openOrm(database: Database, databaseUrl: string, patience = PATIENCE): Promise<MikroORM> {
  let pool: Pool | undefined
  const onPoolCreated = (created: Pool) => {
    pool = created
    takeBackEnded(pool)
  }
  const orm = await MikroORM.init({ ...ormOptions(database, databaseUrl), driverOptions: { onPoolCreated, ...poolSettings(patience) } })
  const close = orm.close.bind(orm)
  orm.close = async (force) => {
    if (pool) await quiet(pool)
    await close(force)
  }
  return orm
}

/** Oldest PostgreSQL whose functions the migrations use, as it numbers itself. */
const OLDEST = 180000

/** Brings a database to the newest migration. Throws when its server is too old. Running it twice at once is safe: the second waits, then finds nothing to do. */
export async function migrate(database: Database, databaseUrl: string): Promise<void> {
  const orm = await openOrm(database, databaseUrl, {}) // an index takes the time that it takes
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
