import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const makers: Record<string, () => string> = {
  KEY_RING: () => `1:${randomHex()}`,
  API_KEY_SECRET: randomHex,
  PROOF_KEY_RING: randomHex,
  SCHEDULER_SECRET: randomHex,
  PLATFORM_WALLET_KEY: () => `0x${randomHex()}`,
  SETTLER_KEY: () => `0x${randomHex()}`,
}

/** A secret of a sandbox: generated at the first call, stored in the data folder for its owner alone, and the same ever after. */
export function sandboxSecret(dataDir: string, name: string): string {
  const folder = join(dataDir, 'secrets')
  const path = join(folder, name)
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const maker = makers[name]
  if (maker === undefined) throw new Error(`nothing makes ${name}`)
  makeFolder(dataDir, 0o777)
  makeFolder(folder, 0o700)
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, `${maker()}\n`, { mode: 0o600 })
  try {
    linkSync(draft, path) // atomic, and fails if another process was faster
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    unlinkSync(draft)
  }
  return readFileSync(path, 'utf8').trim()
}

/** Makes one level at a time: `recursive` never returns where nothing can be made (/proc), and hides the reason of a disk's error. */
function makeFolder(path: string, mode: number): void {
  if (existsSync(path)) return
  makeFolder(dirname(path), 0o777)
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

function randomHex(): string {
  return randomBytes(32).toString('hex')
}
