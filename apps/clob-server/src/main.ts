import { clobSettings, SettingsError } from '@augury/settings/env'
import { openLog } from './log.ts'
import { startClobServer } from './server.ts'

/** Runs the order-book service until it is told to stop. */
async function main(): Promise<void> {
  const settings = clobSettings()
  const log = openLog(settings.logLevel)
  const server = await startClobServer(settings, log, (error) => {
    log.fatal({ err: error }, 'the exchange cannot go on in this process')
    process.exit(1)
  })
  log.info({ url: server.url, mode: settings.mode, seq: server.venue.exchange.seq, epoch: server.venue.epoch }, 'listening')

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

try {
  await main()
} catch (error) {
  process.stderr.write(`${error instanceof SettingsError ? error.message : `clob-server did not start: ${(error as Error).stack}`}\n`)
  process.exit(1)
}
