import { CREATE2_DEPLOYER, type DeploymentStep } from '@augury/contracts/deployment'
import { getCreate2Address, type Hex, keccak256, size, slice } from 'viem'
import { NodeError } from './node-error.ts'
import type { Block, Clock, Node, Signer } from './ports.ts'

export interface Deployed {
  name: string
  /** Follows from creation code and salt alone. */
  address: Hex
  state: 'there' | 'missing' | 'deployed'
}

export interface DeployWorld {
  node: Node
  clock: Clock
  signer: Signer
  chainId: number
  /** Only says what would be done. */
  dryRun: boolean
  /** Milliseconds for each contract. */
  patience: number
}

/** Hash of the code of the deployment proxy. Other code at its address would not create what the addresses commit to. */
const PROXY_CODE = '0x2fa86add0aed31f33a762c9d88e807c475bd51d0f52bd0955754b2608f7e4989'
/** Milliseconds between two looks at the chain. */
const LOOK = 250
/** Reads that a block may outrun. */
const TRIES = 10
const GAS_BASE = 600_000
/** 16 for calldata, 200 for storing code, and 2 for hashing it. */
const GAS_BYTE = 218

/**
 * Deploys what is missing, in order, and leaves the rest as it is; repeated, it does nothing. The address commits to the creation code, so code at
 * the address is what that code creates. Throws if the proxy is missing, a step names another address, or a contract is not there in time.
 */
export async function deployContracts(world: DeployWorld, steps: readonly DeploymentStep[]): Promise<Deployed[]> {
  const { node } = world
  const proxy = await codeAtHead(node, CREATE2_DEPLOYER)
  if (proxy === '0x') throw new Error(`this chain has no deterministic deployment proxy at ${CREATE2_DEPLOYER}`)
  if (keccak256(proxy) !== PROXY_CODE) throw new Error(`what this chain has at ${CREATE2_DEPLOYER} is not the deployment proxy`)
  const deployed: Deployed[] = []
  for (const step of steps) {
    const { name, address, data, initCode } = step
    // The proxy takes the salt, then the code.
    const follows = getCreate2Address({ from: CREATE2_DEPLOYER, salt: slice(data, 0, 32), bytecode: slice(data, 32) })
    if (follows !== address || slice(data, 32) !== initCode) throw new Error(`${name} would be at ${follows}, not at ${address}`)
    const isThere = (await codeAtHead(node, address)) !== '0x'
    if (!isThere && !world.dryRun) await create(world, step)
    deployed.push({ name, address, state: isThere ? 'there' : world.dryRun ? 'missing' : 'deployed' })
  }
  return deployed
}

/** Most gas that a step takes. */
export const gasOf = ({ initCode }: DeploymentStep): number => GAS_BASE + GAS_BYTE * size(initCode)

async function create({ node, clock, signer, chainId, patience }: DeployWorld, step: DeploymentStep): Promise<void> {
  const { name, address, to, data } = step
  const until = clock.now() + patience
  const head = await headOf(node)
  const tip = await node.tip()
  const nonce = await node.nonce(signer.address, head)
  const gas = gasOf(step)
  const raw = await signer.sign({ chainId, nonce, to, data, gas, maxFee: 2n * head.baseFee + tip, tip })
  for (;;) {
    // A node that took it says "nonce too low" the second time; what counts is the code.
    const problem = await node.send(raw).catch((error: unknown) => error)
    if ((await codeAtHead(node, address)) !== '0x') return
    if (clock.now() >= until) throw new Error(`${name} was not deployed in time${problem instanceof Error ? `: ${problem.message}` : ''}`)
    await clock.sleep(LOOK)
  }
}

/** Code at an address at the newest block. A node without history forgets that block as soon as it has the next: it is asked again. */
export async function codeAtHead(node: Node, address: Hex): Promise<Hex> {
  for (let tries = 1; ; tries++) {
    try {
      return await node.code(address, await headOf(node))
    } catch (error) {
      if (tries === TRIES || !(error instanceof NodeError && error.kind === 'refused')) throw error
    }
  }
}

/** The newest block. Throws `NodeError`. */
export async function headOf(node: Node): Promise<Block> {
  const head = await node.block('latest')
  if (!head) throw new NodeError('garbage', 'the node has no block')
  return head
}
