import { depositorFactoryOf } from '@augury/contracts/deployment'
import type { ChainPlace } from '@augury/wire/platform/deposits'
import { getAddress, type Hex } from 'viem'
import type { Site } from '../site/site.ts'
import { nodeOfChain } from './chain-node.ts'
import { walletChain } from './wallet-chain.ts'

/** The vault that holds members' money. */
export interface Vault {
  /** Checksummed, as all addresses here. */
  address: Hex
  collateral: Hex
  factory: Hex
  /** Millionths. */
  minDeposit: number
  confirmations: number
}

type Settings = Site['settings']

/** The vault of a site; null where money is kept by the ledger alone. */
export function vaultOf({ settlement, vaultAddress, collateralAddress, minDeposit = 0, confirmations = 0 }: Settings): Vault | null {
  if (settlement !== 'chain' || !vaultAddress || !collateralAddress) return null
  const address = getAddress(vaultAddress)
  return { address, collateral: getAddress(collateralAddress), factory: depositorFactoryOf(address), minDeposit, confirmations }
}

/** The site's chain as wallets add it. A sandbox that keeps money on a chain runs that chain itself. */
export function chainOfSite(settings: Settings) {
  const { settlement, mode, chainId, chainName = null, chainPublicRpc = null, chainExplorer = null, chainCoin = null } = settings
  const isOwn = settlement === 'chain' && mode === 'sandbox'
  return walletChain({ chainId, chainName, chainPublicRpc, chainExplorer, chainCoin }, isOwn ? settings.rpcUrl : null)
}

/** What is known of the chain on which the vault is; null where there is none. */
export async function placeOf(site: Site): Promise<ChainPlace | null> {
  const { settings } = site
  const vault = vaultOf(settings)
  if (!vault) return null
  const chain = chainOfSite(settings)
  return {
    chain_id: settings.chainId,
    network: chain?.chainName ?? `Chain ${settings.chainId}`,
    vault: vault.address,
    collateral: vault.collateral,
    deposit_factory: vault.factory,
    min_deposit: String(vault.minDeposit),
    confirmations: vault.confirmations,
    rpc_url: chain?.rpcUrls[0] ?? null,
    explorer_url: chain?.blockExplorerUrls?.[0] ?? null,
    genesis_hash: (await seen(settings, vault))?.genesis ?? null,
  }
}

/** What a node showed of the chain once and for ever. */
interface Seen {
  /** Hash of block 0. */
  genesis: Hex
  /** Whether the factory of deposit addresses is there: without it, money sent to them could not be moved. */
  hasFactory: boolean
}

const remembered = new Map<string, Seen>()

/** What the node shows of the chain and the vault's factory; null while it does not answer. Kept once the factory was seen. */
export async function seen(settings: Settings, { factory }: Vault): Promise<Seen | null> {
  const { rpcUrl, chainId } = settings
  if (rpcUrl === null) return null
  const key = `${rpcUrl} ${chainId} ${factory}`
  const known = remembered.get(key)
  if (known) return known
  try {
    const node = await nodeOfChain({ chainId, rpcUrl })
    const [{ hash }, code] = await Promise.all([node.getBlock({ blockNumber: 0n }), node.getCode({ address: factory })])
    const shown = { genesis: hash, hasFactory: code !== undefined }
    if (shown.hasFactory) remembered.set(key, shown)
    return shown
  } catch {
    return null
  }
}
