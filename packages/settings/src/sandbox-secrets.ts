import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

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
  mkdirSync(dataDir, { recursive: true })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
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

function randomHex(): string {
  return randomBytes(32).toString('hex')
}
