import type { Hex } from '@augury/wire/scalars'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { keepSandboxKey, type SiteWallet, sandboxKey } from './site-wallet.ts'

/** The wallet of this browser, made at the first call: its key lies where every script of the site could read it, so it is for play money only. */
export function sandboxWallet(): SiteWallet {
  const key = sandboxKey() ?? generatePrivateKey()
  keepSandboxKey(key)
  return privateKeyToAccount(key)
}

/** Takes over the sandbox wallet of another browser. Throws when the text is no private key. */
export function importSandboxWallet(text: string): SiteWallet {
  const account = privateKeyToAccount(text.trim() as Hex)
  keepSandboxKey(text.trim() as Hex)
  return account
}
