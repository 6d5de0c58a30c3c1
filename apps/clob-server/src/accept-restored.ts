import { clobSettings } from '@augury/settings/env'
import { reportStartErrors } from '@augury/settings/report-start-errors'
import { hostClock } from '@augury/venue/base/clock'
import { acceptRestored, HighWater } from '@augury/venue/record/log/high-water'

// For operators: accepts a restored database as correct, although this data folder has seen more than it holds.
reportStartErrors('accept-restored', { database: 'CLOB_DATABASE_URL' })
const { clobDatabaseUrl, dataDir } = clobSettings()
await acceptRestored(clobDatabaseUrl, 'main', new HighWater(dataDir, 'main', hostClock), (line) => process.stdout.write(`${line}\n`))
