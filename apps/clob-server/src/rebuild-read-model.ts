import { clobSettings } from '@augury/settings/env'
import { reportStartErrors } from '@augury/settings/report-start-errors'
import { rebuildReadModel } from '@augury/venue/record/history/rebuild-read-model'

// Empties the read model and rebuilds it from the stored facts, also beside a running exchange.
const say = (line: string) => process.stdout.write(`${line}\n`)
reportStartErrors('rebuild-read-model', { database: 'CLOB_DATABASE_URL' })
await rebuildReadModel(clobSettings().clobDatabaseUrl, 'main', (seq) => say(`rebuilt up to ${seq}`))
say('the read model is complete')
