import { setTimeout } from 'node:timers/promises'
import { clobDatabaseSettings, platformDatabaseSettings } from '@augury/settings/env'
import { openClob } from './clob/database.ts'
import { openPlatformOrm } from './platform/database.ts'
import { requireMigrated } from './require-migrated.ts'

// Exits once a database has this release's migrations: `node packages/domain/src/await-migrated.ts clob|platform`. A pod runs it before its
// program, which would otherwise exit and be restarted after ever longer delays while migrations are under way.
const databases = {
  clob: () => openClob(clobDatabaseSettings().clobDatabaseUrl),
  platform: () => openPlatformOrm(platformDatabaseSettings().databaseUrl),
}

/** Milliseconds between two checks. */
const PAUSE_MS = 1000

const [name = ''] = process.argv.slice(2)
if (name === 'clob' || name === 'platform') await migrated(name)
else {
  process.stderr.write('Say which database: clob or platform.\n')
  process.exitCode = 2
}

/** Prints what it waits for, once, and resolves when it is there. */
async function migrated(name: keyof typeof databases): Promise<void> {
  const orm = await databases[name]()
  try {
    for (let said = ''; ; await setTimeout(PAUSE_MS)) {
      const missing = await requireMigrated(name, (sql) => orm.em.fork().execute(sql)).then(
        () => null,
        (error: Error) => error.message,
      )
      if (missing === null) return
      if (missing !== said) process.stdout.write(`Waiting: ${missing}\n`)
      said = missing
    }
  } finally {
    await orm.close(true)
  }
}
