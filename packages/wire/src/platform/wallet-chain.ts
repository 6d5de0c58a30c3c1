/** A chain as wallets add it (EIP-3085). */
export interface WalletChain {
  /** In hex. */
  chainId: `0x${string}`
  chainName: string
  nativeCurrency: { name: string; symbol: string; decimals: number }
  rpcUrls: string[]
  blockExplorerUrls?: string[]
}
