import type { Hex } from '@augury/wire/scalars'

/** A visitor's wallet. It signs texts and typed data, and shows them. */
export interface SiteWallet {
  /** Checksummed. */
  address: Hex
  signMessage(text: { message: string }): Promise<Hex>
  // biome-ignore lint/suspicious/noExplicitAny: viem's generic types do not fit code that only passes typed data on
  signTypedData(data: any): Promise<Hex>
  /** Calls `changed` with an explanation when the wallet leaves this account, until the returned function is called. */
  follow?(changed: (why: string) => void): () => void
}

/** Thrown when a wallet does not sign: its user declined, or it lacks the account or the chain. */
export class WalletDeclined extends Error {
  override readonly name = 'WalletDeclined'
}

/** Storage key of the sandbox wallet. */
const KEY = 'augury.sandbox-wallet'

/** Private key of this browser's sandbox wallet, or null. */
export const sandboxKey = (): Hex | null => localStorage.getItem(KEY) as Hex | null

/** Stores the private key of the sandbox wallet. */
export const keepSandboxKey = (key: Hex): void => localStorage.setItem(KEY, key)
