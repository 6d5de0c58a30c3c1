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
  /**
   * The wallet on the site's chain, recognised by the hash of its first block. Absent where a wallet sends nothing. Throws `WalletDeclined` if the
   * wallet is on another network and does not switch.
   */
  onChain?(genesis: Hex): Promise<ChainWallet>
}

/** A wallet that reads the chain and sends transactions. */
export interface ChainWallet {
  /** Calls a contract as the wallet's account, without a transaction. */
  call(to: Hex, data: Hex): Promise<Hex>
  /** Time of the newest block, in Unix seconds. */
  time(): Promise<number>
  /** Sends a transaction, and returns its hash. */
  send(to: Hex, data: Hex): Promise<Hex>
  /** Whether a transaction did what it says; null until a block has it. */
  succeeded(transaction: Hex): Promise<boolean | null>
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
