import { abi as factoryAbi } from '@augury/contracts/generated/safe-proxy-factory'
import { proxyWalletOf, SAFE_CONTRACTS, safeSetup } from '@augury/signing/proxy-wallet'
import { encodeFunctionData, type Hex } from 'viem'
import type { Confirmed } from './confirmed.ts'
import { enqueue } from './outbox.ts'
import type { Nodes, OutboxStore } from './ports.ts'

/** Gas of a Safe's deployment: 280 000 in receipts. */
const GAS = 400_000
/** Wallets that may wait for confirmation at once. */
const IN_FLIGHT = 8

/** Transaction that deploys an owner's Safe. Anybody may send it; it reverts where the Safe exists. */
export const safeDeployment = (owner: Hex): { to: Hex; data: Hex; gas: number } => ({
  to: SAFE_CONTRACTS.safeProxyFactory,
  data: encodeFunctionData({ abi: factoryAbi, functionName: 'createProxyWithNonce', args: [SAFE_CONTRACTS.safe, safeSetup(owner), 0n] }),
  gas: GAS,
})

export interface WalletReport {
  /** Owners whose Safe exists at the confirmed block. */
  deployed: Hex[]
  /** Owners whose Safe was queued in this step. */
  queued: Hex[]
}

/** Deploys the Safes of owners who signed for one. Throws `NodeError` to be retried. */
export async function stepWallets(
  { nodes, store }: { nodes: Nodes; store: OutboxStore },
  { pin, head }: Confirmed,
  owners: readonly Hex[],
): Promise<WalletReport> {
  const report: WalletReport = { deployed: [], queued: [] }
  const intents = await store.intents(Number.MAX_SAFE_INTEGER)
  const waiting = new Set(intents.flatMap(({ purpose }) => (purpose.kind === 'wallet' ? [purpose.owner] : [])))
  for (const owner of owners) {
    const address = proxyWalletOf(owner)
    if ((await nodes.any.code(address, pin)) !== '0x') report.deployed.push(owner)
    else if (!waiting.has(owner) && waiting.size < IN_FLIGHT && (await nodes.any.code(address, head)) === '0x') {
      await enqueue(store, { purpose: { kind: 'wallet', owner }, ...safeDeployment(owner) })
      waiting.add(owner)
      report.queued.push(owner)
    }
  }
  return report
}
