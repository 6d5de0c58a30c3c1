import { flushCompileCache } from 'node:module'
import { clobSettings } from '@augury/settings/env'
import { reportStartErrors } from '@augury/settings/report-start-errors'
import { openLog } from './log.ts'
import { startClobServer } from './server.ts'

/** Runs the order-book service, or a standby of it, until SIGTERM or SIGINT. Ends the process. */
export async function run({ standby }: { standby: boolean }): Promise<void> {
  const begun = reportStartErrors('clob-server', {
    database: 'CLOB_DATABASE_URL',
    ports: [standby ? 'STANDBY_PORT' : 'CLOB_PORT', 'METRICS_PORT'],
  })
  const settings = clobSettings()
  const log = openLog(settings.logLevel)
  const onFatal = (error: Error) => {
    log.fatal({ err: error }, 'the exchange cannot go on in this process')
    process.exit(1)
  }
  const server = await startClobServer(settings, log, onFatal, { standby })
  begun()
  const { writer, seq, epoch } = server.venue.status()
  log.info({ url: server.url, mode: settings.mode, writer, seq, epoch }, 'listening')
  flushCompileCache() // Node does so only when a program exits by itself; restarts after a crash should be fast, too

  let stopping = false
  const stop = async (signal: string) => {
    if (stopping) return
    stopping = true
    log.info({ signal }, 'stopping')
    await server.close()
    process.exit(0)
  }
  process.on('SIGTERM', (signal) => void stop(signal))
  process.on('SIGINT', (signal) => void stop(signal))
}
