import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { openPlatform } from '@augury/platform/site/platform'
import { settlerSettings } from '@augury/settings/env'
import { loggedError } from '@augury/settings/logged-error'
import { reportStartErrors } from '@augury/settings/report-start-errors'
import { pino } from 'pino'
import { serveHealth } from './health.ts'
import { openMetrics } from './metrics.ts'
import { startSettler } from './settle.ts'

const begun = reportStartErrors('settler', { database: 'DATABASE_URL', ports: ['SETTLER_PORT'] })
const settings = settlerSettings()
const log = pino({ name: 'settler', level: settings.logLevel, serializers: { err: loggedError } })
const platform = await openPlatform(settings.databaseUrl)
const metrics = openMetrics()
let isStopping = false
const settler = startSettler(settings, platform, `${hostname()} ${process.pid} ${randomUUID()}`, log, metrics)
const health = await serveHealth(settings.settlerPort, settings.host, {
  health: () => ({ ...settler.health(), ...(isStopping && { status: 'draining' as const }) }),
  metrics: metrics.text,
})
begun()
log.info({ port: settings.settlerPort }, 'ready')

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, async () => {
    if (isStopping) return
    isStopping = true
    log.info({ signal }, 'stopping')
    await settler.stop()
    await platform.close()
    health.close()
    health.closeAllConnections()
  })
}
