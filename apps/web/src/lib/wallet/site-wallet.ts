import type { Hex } from '@augury/wire/scalars'

/** A wallet that a visitor chose. It signs texts and typed data, and shows what it signs. */
export interface SiteWallet {
  /** With its checksum. */
  address: Hex
  signMessage(text: { message: string }): Promise<Hex>
  // biome-ignore lint/suspicious/noExplicitAny: viem's types of typed data are for those who write it, not for those who pass it on
  signTypedData(data: any): Promise<Hex>
}

/** Where the sandbox's own wallet keeps its key. */
const KEY = 'augury.sandbox-wallet'

/** Key of the sandbox wallet of this browser; null where there is none. */
export const sandboxKey = (): Hex | null => localStorage.getItem(KEY) as Hex | null

/** Keeps the key of the sandbox wallet. */
export const keepSandboxKey = (key: Hex): void => localStorage.setItem(KEY, key)
