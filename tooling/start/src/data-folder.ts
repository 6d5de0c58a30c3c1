import { createHash, randomUUID } from 'node:crypto'
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isReachable, postgresUser } from '@augury/testing/postgres-binaries'

/** Makes the data folder where there is none. */
export function makeDataFolder(dataDir: string): void {
  if (existsSync(dataDir)) return
  mkdirSync(dataDir, { recursive: true })
  if (postgresUser) chmodSync(dataDir, 0o755) // whatever the umask: PostgreSQL's user passes through; what is secret says so itself
}

/**
 * Where PostgreSQL keeps its data: in the data folder, or, when root's clone lies below a private folder that PostgreSQL's user
 * cannot enter, in a folder under /var/tmp that belongs to this data folder alone.
 */
export function postgresFolder(dataDir: string): string {
  if (isReachable(dataDir)) return join(dataDir, 'postgres')
  const outside = outsideFolder(dataDir)
  // Both sides carry the same mark: data whose folder was deleted and made anew is nobody's, and its secrets are gone.
  const [mark, outsideMark] = [join(dataDir, 'postgres.mark'), join(outside, 'mark')]
  if (!existsSync(mark)) writeFileSync(mark, randomUUID())
  if (existsSync(outside)) requireOwn(outside)
  if (!existsSync(outsideMark) || readFileSync(outsideMark, 'utf8') !== readFileSync(mark, 'utf8')) {
    rmSync(outside, { recursive: true, force: true })
    mkdirSync(outside, { mode: 0o711 })
    copyFileSync(mark, outsideMark)
  }
  return join(outside, 'postgres')
}

function requireOwn(folder: string): void {
  const { uid, mode } = statSync(folder)
  if (uid !== process.getuid?.() || mode & 0o022) throw new Error(`${folder} is not ours alone; remove it and start again.`)
}

/** Removes everything that a start made: data, secrets, logs. Nothing else that may lie in the folder. */
export function removeData(dataDir: string): void {
  const bot = ['market-maker.json', 'market-maker-prices.json']
  for (const name of ['postgres', 'postgres.new', 'secrets', 'logs', ...bot, 'postgres.mark', 'high-water-main.json'])
    rmSync(join(dataDir, name), { recursive: true, force: true })
  rmSync(outsideFolder(dataDir), { recursive: true, force: true })
}

/** Writes down that this process works on the data folder. Throws a sentence when another start does already. */
export function claimDataFolder(dataDir: string): void {
  const path = join(dataDir, 'start.pid')
  const pid = existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0
  if (pid > 0 && pid !== process.pid && isStart(pid)) {
    throw new Error(`Augury runs already on this data folder (process ${pid}, ${dataDir}). Stop it with Ctrl-C, or: kill ${pid}`)
  }
  writeFileSync(path, String(process.pid))
}

/** Gives the data folder back. */
export function releaseDataFolder(dataDir: string): void {
  rmSync(join(dataDir, 'start.pid'), { force: true })
}

function isStart(pid: number): boolean {
  const file = `/proc/${pid}/cmdline`
  return existsSync(file) && readFileSync(file, 'utf8').includes('tooling/start')
}

const outsideFolder = (dataDir: string) => `/var/tmp/augury-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`
