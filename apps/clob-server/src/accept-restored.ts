import { endInWords } from '@augury/settings/end-in-words'
import { clobSettings } from '@augury/settings/env'
import { hostClock } from '@augury/venue/clock'
import { acceptRestored, HighWater } from '@augury/venue/log/high-water'

// An operator says that a restored database is right, although this data folder has seen more than it holds.
endInWords('accept-restored', { database: 'CLOB_DATABASE_URL' })
const { clobDatabaseUrl, dataDir } = clobSettings()
const timeline = await acceptRestored(clobDatabaseUrl, 'main', new HighWater(dataDir, 'main', hostClock))
process.stdout.write(`Timeline ${timeline} begins with the next start. What was acknowledged after the end of the journal is given up.\n`)
