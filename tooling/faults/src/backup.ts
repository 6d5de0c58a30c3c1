import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { migratePlatform } from '@augury/domain/platform/database'
import { query } from '@augury/testing/connection'
import { temporaryFolder } from '@augury/testing/temporary-folder'
import type { Scene } from './scene.ts'

const PICTURE = 'a picture'
const deploy = join(import.meta.dirname, '../../../deploy')
/** Major version of our PostgreSQL: an older pg_dump cannot read it. */
const SERVER = 18

/** A way to copy the exchange's data. There must be no writer. */
export interface Backup {
  /** A short description. */
  way: string
  /** Makes the copy, and resolves with a function that restores it. */
  take(scene: Scene, dataDir: string): Promise<() => Promise<void>>
}

/** The scripts of a deployment, where this machine has the programs that they call; otherwise a copy made by the database itself. */
export function backupHere(): Backup {
  const major = majorOfPgDump()
  if (major >= SERVER) return { way: `deploy/backup.sh and restore.sh with pg_dump ${major}`, take: scripts }
  return { way: `a copy by the database, because there is no pg_dump of ${SERVER} or newer`, take: template }
}

function majorOfPgDump(): number {
  try {
    return Number(/\(PostgreSQL\) (\d+)/.exec(execFileSync('pg_dump', ['--version'], { encoding: 'utf8' }))?.[1] ?? 0)
  } catch {
    return 0 // none
  }
}

/** Both databases and the uploads, as an operator would do it. */
async function scripts(scene: Scene, dataDir: string): Promise<() => Promise<void>> {
  const [server, platform] = [scene.postgres.url('postgres'), scene.postgres.url('platform')]
  await query(server, 'create database platform')
  await migratePlatform(platform)
  const upload = join(dataDir, 'uploads', 'logo')
  mkdirSync(join(dataDir, 'uploads'), { recursive: true })
  writeFileSync(upload, PICTURE)
  const folder = join(temporaryFolder('backup'), 'backup')
  const variables = [`CLOB_DATABASE_URL=${scene.databaseUrl}`, `DATABASE_URL=${platform}`, `DATA_DIR=${dataDir}`]
  const run = (script: string) => execFileSync('env', [...variables, 'sh', join(deploy, script), folder], { stdio: 'pipe' })
  const tables = async () => (await query(platform, 'select count(*)::int as count from pg_tables'))[0]!.count
  const before = await tables()
  run('backup.sh')
  return async () => {
    for (const name of ['clob', 'platform']) {
      await query(server, `drop database ${name} with (force)`)
      await query(server, `create database ${name}`)
    }
    rmSync(upload)
    run('restore.sh')
    if (readFileSync(upload, 'utf8') !== PICTURE) throw new Error('an upload came back as another')
    if ((await tables()) !== before) throw new Error('tables of the platform are missing')
    await query(server, 'drop database platform with (force)')
  }
}

/** As fast as copying files, which is all that the other checks of a drill need. */
async function template({ postgres }: Scene): Promise<() => Promise<void>> {
  const server = postgres.url('postgres')
  await query(server, 'create database backup template clob')
  return async () => {
    await query(server, 'drop database clob with (force)')
    await query(server, 'alter database backup rename to clob')
  }
}
