import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

/** Two throw-away wallets: nobody trades with himself here, so one makes the quotes and the other one takes them. */
export interface Wallets {
  maker: PrivateKeyAccount
  taker: PrivateKeyAccount
}

/** The wallets kept in a folder, made at the first call. */
export function wallets(folder: string): Wallets {
  const path = join(folder, 'market-maker.json')
  if (!existsSync(path)) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(path, JSON.stringify({ maker: generatePrivateKey(), taker: generatePrivateKey() }), { mode: 0o600 })
  }
  chmodSync(path, 0o600)
  const keys = JSON.parse(readFileSync(path, 'utf8')) as { maker: `0x${string}`; taker: `0x${string}` }
  return { maker: privateKeyToAccount(keys.maker), taker: privateKeyToAccount(keys.taker) }
}
