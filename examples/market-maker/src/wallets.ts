import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

/** Throw-away wallets. Self-trades are prevented, so one makes the quotes and the others take them. */
export interface Wallets {
  maker: PrivateKeyAccount
  takers: readonly PrivateKeyAccount[]
}

/** As many as make lists of traders look like what they will be. */
const TAKERS = 8

interface Kept {
  maker: `0x${string}`
  takers?: `0x${string}`[]
  /** The only one of a file that was made when there was one. */
  taker?: `0x${string}`
}

/** The wallets kept in a folder; those that are missing are made. */
export function wallets(folder: string): Wallets {
  const path = join(folder, 'market-maker.json')
  mkdirSync(folder, { recursive: true })
  const kept: Kept = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : { maker: generatePrivateKey() }
  const takers = [...(kept.takers ?? (kept.taker ? [kept.taker] : []))]
  if (takers.length < TAKERS) {
    while (takers.length < TAKERS) takers.push(generatePrivateKey())
    writeFileSync(`${path}.new`, JSON.stringify({ maker: kept.maker, takers }), { mode: 0o600 })
    renameSync(`${path}.new`, path)
  }
  chmodSync(path, 0o600)
  return { maker: privateKeyToAccount(kept.maker), takers: takers.map((key) => privateKeyToAccount(key)) }
}
