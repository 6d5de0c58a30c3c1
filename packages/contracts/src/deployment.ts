import { type Abi, concatHex, encodeDeployData, getCreate2Address, type Hex, keccak256, stringToHex, zeroAddress } from 'viem'
import * as fallbackHandler from '../generated/compatibility-fallback-handler.ts'
import * as depositorFactory from '../generated/depositor-factory.ts'
import * as safe from '../generated/safe-l2.ts'
import * as safeProxyFactory from '../generated/safe-proxy-factory.ts'
import * as testUsdc from '../generated/test-usdc.ts'
import * as timelock from '../generated/timelock-controller.ts'
import * as vault from '../generated/vault.ts'

/** The deterministic deployer that stands at this address on public chains, and on Anvil from the start. */
export const CREATE2_DEPLOYER = '0x4e59b44847b379578588920cA78FbF26c0B4956C'
/** Salt of every deployment. */
export const SALT = keccak256(stringToHex('augury contracts 1'))

/** What decides the addresses. Amounts are in millionths of USDC. */
export interface DeploymentSettings {
  /** USDC of the chain; absent on local chains, which get a TestUSDC. */
  token?: Hex
  operator: Hex
  guardian: Hex
  /** Who may propose and execute changes through the timelock. */
  proposers: readonly Hex[]
  /** Seconds between a proposal and its execution. */
  timelockDelay: bigint
  /** Most that is paid in 24 hours. */
  limit: bigint
  minDeposit: bigint
  /** Price of a demand, in wei. */
  demandFee: bigint
  resolver?: Hex
}

/** A contract to deploy: send `data` to `to`, unless there is code at `address`. */
export interface DeploymentStep {
  name: ContractName
  address: Hex
  initCode: Hex
  to: typeof CREATE2_DEPLOYER
  data: Hex
}

export type ContractName = 'token' | 'timelock' | 'vault' | 'depositorFactory' | 'safe' | 'safeProxyFactory' | 'fallbackHandler'

/** The addresses of a deployment, and its steps in order. */
export interface Deployment {
  addresses: Record<ContractName, Hex>
  steps: DeploymentStep[]
}

/** Computes the addresses of all contracts before anything is deployed. The same settings give the same addresses on every chain. */
export function deploymentOf(settings: DeploymentSettings): Deployment {
  const steps: DeploymentStep[] = []
  const add = (name: ContractName, contract: { abi: Abi | readonly unknown[]; bytecode: Hex }, args: readonly unknown[] = []): Hex => {
    const initCode = encodeDeployData({ abi: contract.abi as Abi, bytecode: contract.bytecode, args })
    const address = getCreate2Address({ from: CREATE2_DEPLOYER, salt: SALT, bytecode: initCode })
    steps.push({ name, address, initCode, to: CREATE2_DEPLOYER, data: concatHex([SALT, initCode]) })
    return address
  }

  const token = settings.token ?? add('token', testUsdc)
  const timelockAddress = add('timelock', timelock, [settings.timelockDelay, settings.proposers, settings.proposers, zeroAddress])
  const vaultAddress = add('vault', vault, [
    {
      token,
      operator: settings.operator,
      guardian: settings.guardian,
      timelock: timelockAddress,
      resolver: settings.resolver ?? zeroAddress,
      limit: settings.limit,
      minDeposit: settings.minDeposit,
      demandFee: settings.demandFee,
    },
  ])
  const addresses = {
    token,
    timelock: timelockAddress,
    vault: vaultAddress,
    depositorFactory: add('depositorFactory', depositorFactory, [vaultAddress]),
    safe: add('safe', safe),
    safeProxyFactory: add('safeProxyFactory', safeProxyFactory),
    fallbackHandler: add('fallbackHandler', fallbackHandler),
  }
  return { addresses, steps }
}
