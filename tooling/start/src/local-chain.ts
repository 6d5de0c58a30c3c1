import { mkdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { deployContracts } from '@augury/chain/deploy'
import { askNode, type Endpoint } from '@augury/chain/json-rpc'
import { rpcNode } from '@augury/chain/node'
import { keySigner } from '@augury/chain/sign'
import { wallClock } from '@augury/chain/wall-clock'
import { type Deployment, type DeploymentSettings, deploymentOf } from '@augury/contracts/deployment'
import { foundryBinary } from '@augury/contracts/foundry'
import type { StartSettings } from '@augury/settings/env'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import type { Service } from './supervisor.ts'

/**
 * How money moves: through the chain that a sandbox runs, through one that the settings name, or in the ledger alone. `words` say so to people,
 * `env` to the programs.
 */
export type Settlement = { words: string; env: Record<string, string> } & (
  | { kind: 'local'; url: string; deployment: Deployment; anvil: Service }
  | { kind: 'elsewhere' }
  | { kind: 'ledger' }
)

/** Milliseconds between two looks at a node that starts. */
const LOOK_MS = 25
/** Milliseconds that a contract may take, on a busy machine. */
const PATIENCE_MS = 120_000
/** Wei of those who send transactions here: a thousand coins. */
const GAS_MONEY = 10n ** 21n
/** Wei below which they get that again. */
const LOW = 10n ** 20n

/** Decides how money moves. `binary`: the path of Anvil, null if npm has none for this platform. */
export function settlementOf(settings: StartSettings, binary = foundryBinary('anvil')): Settlement {
  const { mode, settlement, rpcUrl } = settings
  const ledger = (why: string): Settlement => ({
    kind: 'ledger',
    words: `in the ledger alone, because ${why}`,
    env: { SETTLEMENT: 'ledger' },
  })
  if (settlement === 'ledger') return ledger('SETTLEMENT is ledger')
  const isElsewhere = mode === 'production' || rpcUrl !== null
  if (settlement === 'chain' && isElsewhere) return { kind: 'elsewhere', words: 'through the chain of RPC_URL', env: {} }
  if (isElsewhere) return ledger('SETTLEMENT is not chain')
  if (binary === null) return ledger(`there is no Anvil for ${process.platform} ${process.arch}`)
  return local(settings, binary)
}

const chainFolder = ({ dataDir }: Pick<StartSettings, 'dataDir'>): string => join(dataDir, 'chain')

/** The command of a sandbox's chain, which goes on from what its folder keeps. */
export function anvilCommand(settings: Pick<StartSettings, 'dataDir' | 'anvilPort' | 'chainId'>, binary: string): [string, ...string[]] {
  const { anvilPort, chainId } = settings
  const flags = ['--host', '127.0.0.1', '--port', String(anvilPort), '--chain-id', String(chainId), '--hardfork', 'cancun']
  // The states of a few blocks, for reads of one that was just replaced: of all blocks, they would be written to the disk for ever. No accounts:
  // the keys of the usual ones are public.
  const memory = ['--prune-history', '50', '--slots-in-an-epoch', '1', '--accounts', '0', '--quiet']
  return [binary, ...flags, ...memory, '--state', stateFile(chainFolder(settings)), '--state-interval', '15']
}

function local(settings: StartSettings, binary: string): Settlement {
  const { anvilPort, chainId } = settings
  const url = `http://127.0.0.1:${anvilPort}`
  const deployment = deploymentOf(sandboxDeployment(settings))
  const folder = chainFolder(settings)
  const { token, vault } = deployment.addresses
  return {
    kind: 'local',
    words: `through a chain of its own, ${url}, with worthless coins`,
    url,
    deployment,
    anvil: {
      name: 'chain',
      command: anvilCommand(settings, binary),
      cwd: folder,
      env: { HOME: folder },
      prepare: (signal) => deployLocally({ url, chainId, operator: operatorOf(settings), deployment }, signal),
      restart: {},
    },
    env: {
      ...{ SETTLEMENT: 'chain', RPC_URL: url, VAULT_ADDRESS: vault, COLLATERAL_ADDRESS: token, CONFIRMATIONS: '0' },
      // For wallets: the chain number may be that of a public chain, whose name and coin this is not.
      ...{ CHAIN_PUBLIC_RPC: url, CHAIN_NAME: 'Augury sandbox', CHAIN_COIN: 'TEST' },
    },
  }
}

/** Address of the settler. A sandbox makes its key. */
function operatorOf({ settlerKey }: StartSettings): Hex {
  if (settlerKey === null) throw new Error('SETTLER_KEY must be set')
  return privateKeyToAddress(settlerKey)
}

/** What decides the addresses in a sandbox: the settler pays and posts, the deployment's own wallet guards and rules. */
function sandboxDeployment(settings: StartSettings): DeploymentSettings {
  const { platformWalletKey, withdrawDailyLimit, minDeposit } = settings
  const owner = privateKeyToAddress(platformWalletKey)
  return {
    operator: operatorOf(settings),
    guardian: owner,
    proposers: [owner],
    timelockDelay: 60n,
    limit: BigInt(withdrawDailyLimit),
    minDeposit: BigInt(minDeposit),
    demandFee: 10n ** 15n,
  }
}

/**
 * Creates the folder of the chain's state and returns the path of the file. A file that is not whole, as after a kill while it was
 * written, is put aside: the node would not start with it.
 */
export function stateFile(folder: string): string {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'state.json')
  try {
    JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) renameSync(path, `${path}.broken`)
  }
  return path
}

/** What is deployed where. */
interface Target {
  url: string
  chainId: number
  operator: Hex
  deployment: Deployment
}

/** Deploys what is missing on the node once it answers, and gives the settler coins for gas. */
async function deployLocally({ url, chainId, operator, deployment: { steps } }: Target, signal: AbortSignal): Promise<void> {
  const endpoint: Endpoint = { url, clock: wallClock, fetch }
  const node = rpcNode(endpoint)
  while ((await node.chainId().catch(() => null)) !== chainId) await sleep(LOOK_MS, undefined, { signal })
  // A key for this once: the nonces of the settler's are its own.
  const signer = keySigner(generatePrivateKey())
  for (const address of [signer.address, operator]) {
    const [balance] = await askNode(endpoint, [['eth_getBalance', [address, 'latest']]])
    if (BigInt(balance as string) < LOW) await askNode(endpoint, [['anvil_setBalance', [address, `0x${GAS_MONEY.toString(16)}`]]])
  }
  await deployContracts({ node, clock: wallClock, signer, chainId, dryRun: false, patience: PATIENCE_MS }, steps)
}
