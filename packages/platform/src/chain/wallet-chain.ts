import type { WebSettings } from '@augury/settings/env'
import type { WalletChain } from '@augury/wire/platform/wallet-chain'
import { numberToHex } from 'viem'
import { anvil, arbitrum, base, mainnet, optimism, polygon, polygonAmoy } from 'viem/chains'

/** Chains whose names and public nodes need no settings. */
const KNOWN = [mainnet, optimism, polygon, base, arbitrum, polygonAmoy, anvil]

/** Name of a sandbox's own chain: it may have the id of a public one. */
const OWN = 'Augury sandbox'

type Settings = Pick<WebSettings, 'chainId' | 'chainName' | 'chainPublicRpc' | 'chainExplorer' | 'chainCoin'>

/**
 * The exchange's chain, as the settings describe it to wallets that lack it. Null if no public node of it is known: wallets need one. `ownNode`:
 * the node of a chain that a sandbox runs by itself; what is known of a public chain with the same id does not hold there.
 */
export function walletChain(
  { chainId, chainName, chainPublicRpc, chainExplorer, chainCoin }: Settings,
  ownNode: string | null = null,
): WalletChain | null {
  const known = ownNode === null ? KNOWN.find(({ id }) => id === chainId) : undefined
  const rpc = chainPublicRpc ?? ownNode ?? known?.rpcUrls.default.http[0]
  if (rpc === undefined) return null
  const explorer = chainExplorer ?? (known && 'blockExplorers' in known ? known.blockExplorers?.default.url : undefined)
  const nativeCurrency = chainCoin === null ? known?.nativeCurrency : { name: chainCoin, symbol: chainCoin, decimals: 18 }
  return {
    chainId: numberToHex(chainId),
    chainName: chainName ?? (ownNode === null ? (known?.name ?? `Chain ${chainId}`) : OWN),
    nativeCurrency: nativeCurrency ?? { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: [rpc],
    ...(explorer === undefined ? {} : { blockExplorerUrls: [explorer] }),
  }
}
