import { clobDatabaseSettings, platformDatabaseSettings } from '@augury/settings/env'
import { migrateClob } from './clob/database.ts'
import { migratePlatform } from './platform/database.ts'

// Migrates one database to this release: `node packages/domain/src/migrate.ts clob|platform`. Run it before the programs of a new release
// start; those of the previous one keep running meanwhile, because migrations only add.
const databases = {
  clob: () => migrateClob(clobDatabaseSettings().clobDatabaseUrl),
  platform: () => migratePlatform(platformDatabaseSettings().databaseUrl),
}

const [name = ''] = process.argv.slice(2)
if (name === 'clob' || name === 'platform') {
  try {
    await databases[name]()
    process.stdout.write(`The database ${name} is up to date.\n`)
  } catch (error) {
    process.stderr.write(`The database ${name} was left as it was: ${(error as Error).message}\n`)
    process.exitCode = 1
  }
} else {
  process.stderr.write('Say which database: clob or platform.\n')
  process.exitCode = 2
}
