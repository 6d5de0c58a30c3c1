import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const makers: Record<string, () => string> = {
  KEY_RING: () => `1:${randomHex()}`,
  API_KEY_SECRET: randomHex,
  PROOF_KEY_RING: randomHex,
  SCHEDULER_SECRET: randomHex,
  PLATFORM_WALLET_KEY: () => `0x${randomHex()}`,
}

/** A secret that a sandbox makes for itself: made at the first call, readable by its owner alone, the same ever after. */
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
    linkSync(draft, path) // all at once, and never over one that another process made meanwhile
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    unlinkSync(draft)
  }
  return readFileSync(path, 'utf8').trim()
}

/** One after the other: all at once, Node never ends where nothing can be made, and hides why a disk is not written to. */
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
