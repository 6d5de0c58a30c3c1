import { abi as safeAbi } from '@augury/contracts/generated/safe-l2'
import { bytecode as proxyBytecode } from '@augury/contracts/generated/safe-proxy'
import { abi as factoryAbi } from '@augury/contracts/generated/safe-proxy-factory'
import { concatHex, encodeFunctionData, getCreate2Address, type Hex, keccak256, numberToHex, padHex, zeroAddress } from 'viem'
import type { Confirmed } from './confirmed.ts'
import { enqueue } from './outbox.ts'
import type { Nodes, OutboxStore } from './ports.ts'

/** Addresses of the deployed contracts of Safe 1.4.1 (SafeL2). */
export interface SafeContracts {
  safe: Hex
  safeProxyFactory: Hex
  fallbackHandler: Hex
}

/** Gas of a Safe's deployment: 280 000 in receipts. */
const GAS = 400_000
/** Wallets that may wait for confirmation at once. */
const IN_FLIGHT = 8

/** The call that makes a new proxy the Safe of an owner: that owner alone, threshold 1, no modules, no payment. */
const setupData = ({ fallbackHandler }: SafeContracts, owner: Hex): Hex =>
  encodeFunctionData({
    abi: safeAbi,
    functionName: 'setup',
    args: [[owner], 1n, zeroAddress, '0x', fallbackHandler, zeroAddress, 0n, zeroAddress],
  })

/** Address of an owner's Safe, checksummed, before or after its deployment. Owner and threshold at deployment follow from it. */
export function safeAddress(contracts: SafeContracts, owner: Hex, nonce = 0n): Hex {
  const salt = keccak256(concatHex([keccak256(setupData(contracts, owner)), numberToHex(nonce, { size: 32 })]))
  return getCreate2Address({
    from: contracts.safeProxyFactory,
    salt,
    bytecode: concatHex([proxyBytecode, padHex(contracts.safe, { size: 32 })]),
  })
}

/** Transaction that deploys an owner's Safe. Anybody may send it; it reverts where the Safe exists. */
export const safeDeployment = (contracts: SafeContracts, owner: Hex, nonce = 0n): { to: Hex; data: Hex; gas: number } => ({
  to: contracts.safeProxyFactory,
  data: encodeFunctionData({
    abi: factoryAbi,
    functionName: 'createProxyWithNonce',
    args: [contracts.safe, setupData(contracts, owner), nonce],
  }),
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
  { nodes, store, contracts }: { nodes: Nodes; store: OutboxStore; contracts: SafeContracts },
  { pin, head }: Confirmed,
  owners: readonly Hex[],
): Promise<WalletReport> {
  const report: WalletReport = { deployed: [], queued: [] }
  const intents = await store.intents(Number.MAX_SAFE_INTEGER)
  const waiting = new Set(intents.flatMap(({ purpose }) => (purpose.kind === 'wallet' ? [purpose.owner] : [])))
  for (const owner of owners) {
    const address = safeAddress(contracts, owner)
    if ((await nodes.any.code(address, pin)) !== '0x') report.deployed.push(owner)
    else if (!waiting.has(owner) && waiting.size < IN_FLIGHT && (await nodes.any.code(address, head)) === '0x') {
      await enqueue(store, { purpose: { kind: 'wallet', owner }, ...safeDeployment(contracts, owner) })
      waiting.add(owner)
      report.queued.push(owner)
    }
  }
  return report
}
