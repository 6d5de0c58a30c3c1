import type { Hex } from '@augury/wire/scalars'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { keepSandboxKey, type SiteWallet, sandboxKey } from './site-wallet.ts'

/** The sandbox wallet of this browser, created at the first call. Every script of the site could read its key, so it is for play money only. */
export function sandboxWallet(): SiteWallet {
  const key = sandboxKey() ?? generatePrivateKey()
  keepSandboxKey(key)
  return privateKeyToAccount(key)
}

/** Imports the sandbox wallet of another browser. Throws if the text is not a private key. */
export function importSandboxWallet(text: string): SiteWallet {
  const account = privateKeyToAccount(text.trim() as Hex)
  keepSandboxKey(text.trim() as Hex)
  return account
}
