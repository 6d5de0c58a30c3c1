import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { isReachable, postgresUser } from '@augury/testing/postgres-binaries'

/** The file of a data folder that a sandbox imports, if it is there, instead of the shipped catalogue. */
export const OWN_CATALOGUE = 'catalogue.json'

/** The path of the catalogue that a sandbox imports. */
export function catalogueOf(root: string, dataDir: string): string {
  const own = join(dataDir, OWN_CATALOGUE)
  return existsSync(own) ? own : join(root, 'data', 'catalogue.json')
}

/** Creates the data folder if there is none. */
export function makeDataFolder(dataDir: string): void {
  if (existsSync(dataDir)) return
  mkdirSync(dataDir, { recursive: true })
  if (postgresUser) chmodSync(dataDir, 0o755) // whatever the umask: PostgreSQL's user has to pass through; secret files have modes of their own
}

/**
 * The folder of PostgreSQL's data: in the data folder, or, when root's clone is below a private folder that PostgreSQL's user cannot enter,
 * in a folder under /var/tmp that belongs to this data folder alone.
 */
export function postgresFolder(dataDir: string): string {
  if (isReachable(dataDir)) return join(dataDir, 'postgres')
  const outside = outsideFolder(dataDir)
  // Both folders hold the same mark: without a match the data belonged to a data folder that was deleted, and its secrets are gone.
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

/** Removes everything that a start created: data, secrets, logs. Leaves other files in the folder alone. */
export function removeData(dataDir: string): void {
  const bot = ['market-maker.json', 'market-maker-prices.json']
  for (const name of ['postgres', 'postgres.new', 'chain', 'secrets', 'logs', 'uploads', ...bot, 'postgres.mark', 'high-water-main.json'])
    rmSync(join(dataDir, name), { recursive: true, force: true })
  rmSync(outsideFolder(dataDir), { recursive: true, force: true })
}

/**
 * Claims the data folder for this process and writes its pid there. Throws a sentence when another start has the folder. Returns the release;
 * the end of the process releases it too.
 */
export async function claimDataFolder(dataDir: string): Promise<() => void> {
  const path = join(dataDir, 'start.pid')
  const lock = createServer().unref()
  if (process.platform === 'linux') {
    // An abstract socket: only one process can listen, and the kernel removes it with the process.
    lock.listen(`\0augury start ${hashOf(realpathSync(dataDir))}`)
    await once(lock, 'listening').catch((error) => {
      if (error.code !== 'EADDRINUSE') throw error
      const pid = existsSync(path) ? readFileSync(path, 'utf8') : '…'
      throw new Error(`Augury runs already on this data folder (process ${pid}, ${dataDir}). Stop it with Ctrl-C, or: kill ${pid}`)
    })
  }
  writeFileSync(path, String(process.pid))
  return () => {
    rmSync(path, { force: true })
    lock.close()
  }
}

const hashOf = (path: string) => createHash('sha256').update(path).digest('hex').slice(0, 16)

const outsideFolder = (dataDir: string) => `/var/tmp/augury-${hashOf(dataDir)}`
