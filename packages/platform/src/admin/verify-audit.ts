import { stdout } from 'node:process'
import { platformDatabaseSettings } from '@augury/settings/env'
import { reportStartErrors } from '@augury/settings/report-start-errors'
import { openPlatform } from '../site/platform.ts'
import { verifyAuditLog } from './audit-log.ts'

reportStartErrors('verify-audit', { database: 'DATABASE_URL' })
// Every entry there is is hashed by one statement, which takes the time that it takes.
const platform = await openPlatform(platformDatabaseSettings().databaseUrl, undefined, {})
try {
  const { entries, head, broken_at } = await verifyAuditLog(platform)
  stdout.write(
    broken_at === null
      ? `${entries} entries, none changed and none missing. The last has the hash ${head}: keep it elsewhere to prove it later.\n`
      : `The audit log was tampered with: entry ${broken_at} does not follow from the one before it.\n`,
  )
  if (broken_at !== null) process.exitCode = 1
} finally {
  await platform.close()
}
