import { codeAtHead, deployContracts, gasOf, headOf } from '@augury/chain/deploy'
import { rpcNode } from '@augury/chain/node'
import { NodeError } from '@augury/chain/node-error'
import type { Node, Signer } from '@augury/chain/ports'
import { keyFileSigner, keySigner } from '@augury/chain/sign'
import { deploymentDifferences } from '@augury/chain/verify-deployment'
import { wallClock } from '@augury/chain/wall-clock'
import { type Deployment, deploymentOf } from '@augury/contracts/deployment'
import type { DeploySettings } from '@augury/settings/env'
import { formatEther, type Hex } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { type DeployPlan, deployPlan, USAGE } from './deploy-plan.ts'

/** Milliseconds that a contract may take: a busy chain leaves a transaction waiting for minutes. */
const PATIENCE_MS = 600_000

/** Where contracts are deployed, and who pays. */
interface Target {
  node: Node
  chainId: number
  signer: Signer
}

/** What it reads of the environment, and where it prints. */
interface Surroundings {
  settings: DeploySettings
  say: (line: string) => void
}

/**
 * Deploys the contracts of the options to the chain of the settings, checks what is there, and prints what to set. Throws a sentence for people:
 * before anything is sent, where the options, the chain, the key or its balance are wrong.
 */
export async function deployByHand(args: readonly string[], { settings, say }: Surroundings): Promise<void> {
  if (args.includes('--help')) return say(USAGE)
  await deploy(deployPlan(args), settings, say).catch((error: unknown) => {
    if (!(error instanceof NodeError)) throw error
    const how = error.kind === 'silent' ? 'does not answer' : 'gave no usable answer'
    throw new Error(`The node of RPC_URL ${how}: ${error.message}. Repeat the command: it continues.`, { cause: error })
  })
}

async function deploy(plan: DeployPlan, { rpcUrl, chainId, deployerKey }: DeploySettings, say: Surroundings['say']): Promise<void> {
  if (rpcUrl === null) throw new Error('RPC_URL is missing: it names a node of the chain.')
  const node = rpcNode({ url: rpcUrl, clock: wallClock, fetch })
  const served = await node.chainId()
  if (served !== chainId) throw new Error(`The node of RPC_URL serves chain ${served}, and CHAIN_ID is ${chainId}.`)
  const signer = await signerOf(plan, deployerKey)
  const target: Target = { node, chainId, signer }
  const deployment = deploymentOf(plan.contracts)
  if (plan.contracts.token !== undefined) await requireCode(node, plan.contracts.token)
  say(`Chain ${chainId}, ${plan.dryRun ? 'nothing is sent' : `paid by ${signer.address}`}\n`)

  const world = { ...target, clock: wallClock, patience: PATIENCE_MS }
  const found = await deployContracts({ ...world, dryRun: true }, deployment.steps)
  const missing = deployment.steps.filter((_, n) => found[n]!.state === 'missing')
  if (!plan.dryRun) await requireGas(target, missing)
  for (const step of deployment.steps)
    for (const { name, address, state } of await deployContracts({ ...world, dryRun: plan.dryRun }, [step]))
      say(`  ${state.padEnd(9)} ${name.padEnd(17)} ${address}`)
  if (plan.dryRun && missing.length > 0) return say(`\n${missing.length} of ${deployment.steps.length} are missing.`)
  await requireEqual(node, deployment, plan)
  say(`\nThe contracts show what they were deployed with.\n\n${settingsOf(chainId, deployment)}`)
}

/** A dry run needs no key. */
async function signerOf({ keyFile, dryRun }: DeployPlan, key: Hex | null): Promise<Signer> {
  if (dryRun) return keySigner(generatePrivateKey())
  if (keyFile !== null) return keyFileSigner(keyFile)
  if (key === null) throw new Error('A key that pays for the deployment is missing: --key-file FILE, or DEPLOYER_KEY.')
  return keySigner(key)
}

async function requireCode(node: Node, token: Hex): Promise<void> {
  if ((await codeAtHead(node, token)) === '0x') throw new Error(`There is no contract at ${token} (--token) on this chain.`)
}

async function requireGas({ node, signer }: Target, missing: Deployment['steps']): Promise<void> {
  const head = await headOf(node)
  const [balance, tip] = await Promise.all([node.balance(signer.address, head), node.tip()])
  const gas = missing.reduce((sum, step) => sum + gasOf(step), 0)
  const price = 2n * head.baseFee + tip
  if (balance >= BigInt(gas) * price) return
  const needed = `Up to ${formatEther(BigInt(gas) * price)} coins are needed for ${missing.length} contracts (${gas} gas)`
  throw new Error(`${needed}, and ${signer.address} has ${formatEther(balance)}. Nothing was sent.`)
}

/** Throws unless what was deployed shows what it was deployed with. */
async function requireEqual(node: Node, deployment: Deployment, { contracts }: DeployPlan): Promise<void> {
  const differences = await deploymentDifferences(node, deployment, contracts, await headOf(node))
  if (differences.length > 0)
    throw new Error(`The contracts are there, and show something else than these options:\n${differences.join('\n')}`)
}

function settingsOf(chainId: number, { addresses: { vault, token, timelock } }: Deployment): string {
  return [
    'Set for the exchange, the site, the worker and the settler:',
    '  SETTLEMENT=chain',
    `  CHAIN_ID=${chainId}`,
    `  VAULT_ADDRESS=${vault}`,
    `  COLLATERAL_ADDRESS=${token}`,
    `The timelock, for changes of roles and limits: ${timelock}`,
  ].join('\n')
}
