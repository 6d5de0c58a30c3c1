import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type StartSettings, startSettings } from '@augury/settings/env'
import { claimDataFolder } from './data-folder.ts'
import { embeddedPostgres, startPostgres } from './databases.ts'
import { onStopRequest } from './stop-request.ts'

// Runs what an operator runs by hand: `node beside-postgres.ts PROGRAM …`. The PostgreSQL of `npm start` ends with it, also when the exchange
// refused to start on a restored backup: where it is stopped, it runs for as long as the program does.
const [program = '', ...args] = process.argv.slice(2)
try {
  const stop = await startStopped()
  try {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, ...args], { stdio: 'inherit' })
    onStopRequest(() => child.kill('SIGTERM'))
    const [code] = await once(child, 'exit')
    process.exitCode = code ?? 1
  } finally {
    await stop()
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}

/** Starts the PostgreSQL of the data folder if there is one and it is stopped. Returns what stops it again. */
async function startStopped(): Promise<() => Promise<void>> {
  const settings = settingsOfStart()
  const postgres = settings && existsSync(settings.dataDir) ? embeddedPostgres(settings) : null
  if (!settings || !postgres || postgres.pid() !== null || !existsSync(join(postgres.dataDir, 'PG_VERSION'))) return async () => {}
  const release = await claimDataFolder(settings.dataDir)
  const endGuard = await startPostgres(postgres)
  return async () => {
    await postgres.stop()
    endGuard()
    release()
  }
}

/** Null where `npm start` could not run: the program says itself what it lacks, which may be less. */
function settingsOfStart(): StartSettings | null {
  try {
    return startSettings()
  } catch {
    return null
  }
}
