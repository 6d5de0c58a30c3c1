import {
  type Abi,
  concatHex,
  encodeDeployData,
  getContractAddress,
  getCreate2Address,
  type Hex,
  keccak256,
  padHex,
  stringToHex,
  zeroAddress,
} from 'viem'
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

/** Initcode of the factory of a vault's deposit addresses. */
const factoryCode = (vaultAddress: Hex): Hex =>
  encodeDeployData({ abi: depositorFactory.abi, bytecode: depositorFactory.bytecode, args: [vaultAddress] })

/** Address of the factory of a vault's deposit addresses. */
export const depositorFactoryOf = (vaultAddress: Hex): Hex =>
  getCreate2Address({ from: CREATE2_DEPLOYER, salt: SALT, bytecode: factoryCode(vaultAddress) })

/**
 * Deposit address of an account, checksummed, before or after anything is deployed there: the factory's minimal proxy (EIP-1167), with the
 * account as its salt. The factory's `addressOf` answers the same.
 */
export function depositAddressOf(vaultAddress: Hex, account: Hex): Hex {
  const factory = depositorFactoryOf(vaultAddress)
  const implementation = getContractAddress({ from: factory, nonce: 1n }) // what the factory's constructor deploys
  const bytecode = concatHex(['0x3d602d80600a3d3981f3363d3d373d3d3d363d73', implementation, '0x5af43d82803e903d91602b57fd5bf3'])
  return getCreate2Address({ from: factory, salt: padHex(account, { size: 32 }), bytecode })
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
