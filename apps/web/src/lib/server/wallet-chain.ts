import type { WebSettings } from '@augury/settings/env'
import { numberToHex } from 'viem'
import { anvil, arbitrum, base, mainnet, optimism, polygon, polygonAmoy } from 'viem/chains'
import type { WalletChain } from '#lib/wallet/wallet-chain.ts'

/** Chains whose names and public nodes need no settings. */
const KNOWN = [mainnet, optimism, polygon, base, arbitrum, polygonAmoy, anvil]

type Settings = Pick<WebSettings, 'chainId' | 'chainName' | 'chainPublicRpc' | 'chainExplorer' | 'chainCoin'>

/** The exchange's chain, as the settings describe it to wallets that lack it. Null if no public node of it is known: wallets need one. */
export function walletChain({ chainId, chainName, chainPublicRpc, chainExplorer, chainCoin }: Settings): WalletChain | null {
  const known = KNOWN.find(({ id }) => id === chainId)
  const rpc = chainPublicRpc ?? known?.rpcUrls.default.http[0]
  if (rpc === undefined) return null
  const explorer = chainExplorer ?? (known && 'blockExplorers' in known ? known.blockExplorers?.default.url : undefined)
  const nativeCurrency = chainCoin === null ? known?.nativeCurrency : { name: chainCoin, symbol: chainCoin, decimals: 18 }
  return {
    chainId: numberToHex(chainId),
    chainName: chainName ?? known?.name ?? `Chain ${chainId}`,
    nativeCurrency: nativeCurrency ?? { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: [rpc],
    ...(explorer === undefined ? {} : { blockExplorerUrls: [explorer] }),
  }
}
