import { execFile } from 'node:child_process'
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { postgresBinaries, postgresUser } from './postgres-binaries.ts'

const run = promisify(execFile)

/** Settings of a PostgreSQL server. */
export interface PostgresOptions {
  /** Its parent must exist and be reachable by `postgresUser`. */
  dataDir: string
  /** On 127.0.0.1 only. */
  port: number
  /** Whether commits survive a power cut: fsync, synchronous_commit and full_page_writes. Off for data that may be lost. */
  durable: boolean
}

/** A PostgreSQL server controlled through pg_ctl. Nothing runs before `start`. */
export interface PostgresServer {
  readonly dataDir: string
  readonly port: number
  /** Connection URL of a database of the server. */
  url(database: string): string
  /** Creates the cluster if there is none, removes a stale pid file, and uses a server that is running already. Throws readable errors. */
  start(): Promise<void>
  /** fast: rolls back open transactions and flushes. immediate: as a crash. Does nothing when it is not running. */
  stop(mode?: 'fast' | 'immediate'): Promise<void>
  /** Process id of the running server, or null. */
  pid(): number | null
}

/** PostgreSQL 18 over a data folder. */
export function postgresServer({ dataDir, port, durable }: PostgresOptions): PostgresServer {
  const log = join(dataDir, 'server.log')

  async function start(): Promise<void> {
    if (!existsSync(dataDir) || readdirSync(dataDir).length === 0) await makeCluster(dataDir)
    checkCluster(dataDir)
    writeSettings(dataDir, port, durable)
    while (pid() !== null) {
      if (isReady()) return
      await new Promise((resolve) => setTimeout(resolve, 50)) // it is starting or stopping: try again
    }
    rmSync(join(dataDir, 'postmaster.pid'), { force: true }) // left by a killed server; its pid may be another program's now
    try {
      await pgCtl('start', '-w', '-t', '60', '-l', log)
    } catch {
      throw new Error(`PostgreSQL did not start on port ${port}. Its log (${log}) ends:\n${tail(log)}`)
    }
  }

  async function stop(mode: 'fast' | 'immediate' = 'fast'): Promise<void> {
    if (pid() !== null) await pgCtl('stop', '-w', '-t', '60', '-m', mode)
  }

  function pid(): number | null {
    const number = Number(read(join(dataDir, 'postmaster.pid')).split('\n')[0])
    const command = number > 0 ? read(`/proc/${number}/cmdline`).split('\0') : []
    return command[0]?.endsWith('/postgres') && command.includes(dataDir) ? number : null
  }

  const isReady = () => read(join(dataDir, 'postmaster.pid')).split('\n')[7]?.trim() === 'ready'

  const pgCtl = (action: string, ...args: string[]) =>
    runAs(join(postgresBinaries(), 'bin', 'pg_ctl'), [action, '-s', '-D', dataDir, ...args])

  return { dataDir, port, url: (database) => `postgres://postgres@127.0.0.1:${port}/${database}`, start, stop, pid }
}

/** Creates the cluster in a temporary folder and renames it, so that a crash leaves no incomplete one. */
async function makeCluster(dataDir: string): Promise<void> {
  const half = `${dataDir}.new`
  rmSync(half, { recursive: true, force: true })
  mkdirSync(half, { mode: 0o700 })
  if (postgresUser) chownSync(half, postgresUser.uid, postgresUser.gid)
  const initdb = join(postgresBinaries(), 'bin', 'initdb')
  await runAs(initdb, ['-D', half, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync', '--no-instructions'])
  appendFileSync(join(half, 'postgresql.conf'), "include 'augury.conf'\n")
  rmSync(dataDir, { recursive: true, force: true })
  renameSync(half, dataDir)
}

function checkCluster(dataDir: string): void {
  const version = read(join(dataDir, 'PG_VERSION')).trim()
  const whole = existsSync(join(dataDir, 'global', 'pg_control')) && read(join(dataDir, 'postgresql.conf')).includes('augury.conf')
  if (version !== '18' || !whole) {
    const what = version !== '' && version !== '18' ? `is of PostgreSQL ${version}, not 18` : 'is not a complete PostgreSQL cluster'
    throw new Error(`The data folder ${dataDir} ${what}. Restore it from a backup, or start over with: npm start -- --reset`)
  }
  // As a copy by root is that keeps no owners. PostgreSQL refuses it without a line in its log.
  if (postgresUser && statSync(dataDir).uid !== postgresUser.uid) {
    const { uid, gid } = postgresUser
    throw new Error(`The data folder ${dataDir} does not belong to the user that PostgreSQL runs as: chown -R ${uid}:${gid} ${dataDir}`)
  }
}

function writeSettings(dataDir: string, port: number, durable: boolean): void {
  const safety = durable ? 'on' : 'off'
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 200,
    shared_buffers: durable ? '256MB' : '64MB',
    fsync: safety,
    synchronous_commit: safety,
    full_page_writes: safety,
    wal_level: durable ? 'replica' : 'minimal',
    max_wal_senders: durable ? 10 : 0,
    max_wal_size: '1GB',
    // Keeps log files for reuse: a commit that needs a new one waits until it is filled with zeros.
    min_wal_size: durable ? '1GB' : '80MB',
    timezone: 'UTC',
    log_timezone: 'UTC',
  }
  const text = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`)
  writeFileSync(join(dataDir, 'augury.conf'), text.join(''))
}

const runAs = (program: string, args: string[]) =>
  run(program, args, { cwd: '/', env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' }, ...postgresUser })

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function tail(path: string): string {
  return read(path).trimEnd().split('\n').slice(-10).join('\n')
}
