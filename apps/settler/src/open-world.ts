import { rpcNode } from '@augury/chain/node'
import { nodesOf } from '@augury/chain/nodes'
import type { Node, Signer } from '@augury/chain/ports'
import { keySigner, remoteSigner } from '@augury/chain/sign'
import { wallClock } from '@augury/chain/wall-clock'
import { RefusedError } from '@augury/client/answer'
import { depositorFactoryOf } from '@augury/contracts/deployment'
import { abi as tokenAbi } from '@augury/contracts/generated/test-usdc'
import { openExchange } from '@augury/platform/exchange/exchange-access'
import type { Platform } from '@augury/platform/site/platform'
import { SettingsError, type SettlerSettings } from '@augury/settings/env'
import { decodeFunctionResult, encodeFunctionData, type Hex } from 'viem'
import { backsOf } from './backing.ts'
import { openAccounts } from './exchange.ts'
import type { Fenced } from './lease.ts'
import { openLostCredits } from './lost.ts'
import { rootLeaves, rootSource } from './root-source.ts'
import { cursorOf, depositStore, outboxStore, setCursor } from './stores.ts'
import type { World } from './world.ts'

/** What a settler cannot do without, from the settings. */
export interface Needs {
  rpcUrl: string
  vault: Hex
  token: Hex
  signer: Signer
}

/** Checks what a settler needs. Throws SettingsError that names what is missing and why. */
export function needsOf(settings: SettlerSettings): Needs {
  const { settlement, rpcUrl, vaultAddress, collateralAddress } = settings
  const problems: string[] = []
  if (settlement !== 'chain')
    problems.push('SETTLEMENT must be chain: where it is ledger, operators move money by hand, and no settler runs')
  if (!rpcUrl) problems.push('RPC_URL must be set: the settler reads and writes the chain through a node')
  if (!vaultAddress) problems.push('VAULT_ADDRESS must be set: npm run deploy-contracts prints it')
  if (!collateralAddress) problems.push('COLLATERAL_ADDRESS must be set: the USDC that the vault takes')
  const signer = signerOf(settings)
  if (!signer) problems.push('SETTLER_KEY, or SIGNER_URL with SIGNER_ADDRESS, must be set: the key of the vault’s operator')
  if (!rpcUrl || !vaultAddress || !collateralAddress || !signer || problems.length > 0) throw new SettingsError(problems)
  return { rpcUrl, vault: vaultAddress.toLowerCase() as Hex, token: collateralAddress.toLowerCase() as Hex, signer }
}

function signerOf({ settlerKey, signerUrl, signerAddress }: SettlerSettings): Signer | null {
  if (signerUrl && signerAddress) return remoteSigner({ url: signerUrl, clock: wallClock, fetch }, signerAddress)
  return settlerKey ? keySigner(settlerKey) : null
}

/** Opens everything that rounds work with. Throws `NodeError` while the chain does not answer. */
export async function openWorld(settings: SettlerSettings, needs: Needs, platform: Platform, fenced: Fenced): Promise<World> {
  const { rpcUrl, signer, token } = needs
  const { chainId, secondRpcUrl, agreeAbove, minDeposit, confirmations, waitForFinalized } = settings
  const node = rpcNode({ url: rpcUrl, clock: wallClock, fetch })
  const isSandbox = settings.mode === 'sandbox' && (await isTestToken(node, token))
  const second = secondRpcUrl ? [rpcNode({ url: secondRpcUrl, clock: wallClock, fetch })] : []
  const genesis = isSandbox ? null : await genesisOf(node, platform, fenced)
  const nodes = nodesOf([node, ...second] as [Node] | [Node, Node], { chainId, genesis }, wallClock)
  const vault = { chainId, address: needs.vault, block: 0 }
  const access = openExchange({
    clobUrl: settings.clobUrl,
    publicClobUrl: settings.publicClobUrl,
    platformWalletKey: settings.settlerWalletKey,
  })
  const suspense = access.operatorAddress.toLowerCase() as Hex
  const isBacking = (sender: Hex) => isSandbox && sender === signer.address
  const lost = isSandbox ? await openLostCredits({ platform, fenced, vault, isBacking }) : null
  const accounts = openAccounts(access.treasury, platform, { suspense, isBacking, lost, fenced })
  const roots = async () => ({ ...(await access.treasury()), ...(await access.reader()) })
  return {
    ...{ nodes, clock: wallClock, signer, accounts, lost, platform, fenced, vault, token, agreeAbove, minDeposit, suspense, isSandbox },
    feePayoutMin: settings.feePayoutMin,
    noteRoot: async (hash, transaction) => {
      // A root that the exchange does not know is one of before it was restored from a backup.
      await (await access.treasury()).notePostedRoot({ body: { hash, transaction_hash: transaction } }).catch(unlessUnknown)
    },
    outbox: outboxStore(platform, fenced),
    deposits: depositStore(platform, fenced, isSandbox ? backsOf(platform, signer.address) : async (deposits) => deposits.map(() => null)),
    source: rootSource(roots, accounts, platform, isSandbox),
    leavesOf: async (n) => rootLeaves(await roots(), n),
    factory: depositorFactoryOf(needs.vault).toLowerCase() as Hex,
    confirmation: { confirmations, finalized: waitForFinalized },
  }
}

function unlessUnknown(error: unknown): void {
  if (!(error instanceof RefusedError && error.code === 'not_found')) throw error
}

/** Whether a token is TestUSDC, which is only deployed on local chains. */
async function isTestToken(node: Node, token: Hex): Promise<boolean> {
  const head = await node.block('latest')
  if (!head) return false
  const [name] = await node.call([{ to: token, data: encodeFunctionData({ abi: tokenAbi, functionName: 'name' }) }], head)
  try {
    return decodeFunctionResult({ abi: tokenAbi, functionName: 'name', data: name! }) === 'Test USDC'
  } catch {
    return false
  }
}

/** Hash of the chain's first block, as it was when a settler first saw it. */
async function genesisOf(node: Node, platform: Platform, fenced: Fenced): Promise<Hex | null> {
  const kept = await cursorOf<Hex>(platform.em(), 'genesis')
  if (kept) return kept
  const hash = (await node.block(0))?.hash ?? null
  if (hash) await fenced((em) => setCursor(em, 'genesis', hash))
  return hash
}
