import type { Hex } from '@augury/wire/scalars'

/** A visitor's wallet. It signs texts and typed data, and shows them. */
export interface SiteWallet {
  /** Checksummed. */
  address: Hex
  signMessage(text: { message: string }): Promise<Hex>
  // biome-ignore lint/suspicious/noExplicitAny: viem's generic types do not fit code that only passes typed data on
  signTypedData(data: any): Promise<Hex>
}

/** Storage key of the sandbox wallet. */
const KEY = 'augury.sandbox-wallet'

/** Private key of this browser's sandbox wallet, or null. */
export const sandboxKey = (): Hex | null => localStorage.getItem(KEY) as Hex | null

/** Stores the private key of the sandbox wallet. */
export const keepSandboxKey = (key: Hex): void => localStorage.setItem(KEY, key)
