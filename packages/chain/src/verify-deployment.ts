import type { Deployment, DeploymentSettings } from '@augury/contracts/deployment'
import { abi as factoryAbi } from '@augury/contracts/generated/depositor-factory'
import { abi as tokenAbi } from '@augury/contracts/generated/test-usdc'
import { abi as timelockAbi } from '@augury/contracts/generated/timelock-controller'
import { abi as vaultAbi } from '@augury/contracts/generated/vault'
import { type Abi, decodeFunctionResult, encodeFunctionData, type Hex, zeroAddress } from 'viem'
import type { Node, Pin } from './ports.ts'

/**
 * Compares what deployed contracts show with the settings that they were deployed with. Returns one sentence for each difference: a later change
 * through the timelock or by the guardian, or not our contracts. Throws `NodeError`.
 */
export async function deploymentDifferences(
  node: Node,
  { addresses: { token, vault, timelock, depositorFactory } }: Deployment,
  settings: DeploymentSettings,
  at: Pin,
): Promise<string[]> {
  const { operator, guardian, limit, minDeposit, demandFee, timelockDelay, resolver = zeroAddress } = settings
  const ofVault = { token, timelock, operator, guardian, resolver, limit, minDeposit, demandFee }
  const wanted = [
    { to: token, abi: tokenAbi, name: 'token', values: { decimals: 6n } },
    { to: vault, abi: vaultAbi, name: 'vault', values: ofVault },
    { to: timelock, abi: timelockAbi, name: 'timelock', values: { getMinDelay: timelockDelay } },
    { to: depositorFactory, abi: factoryAbi, name: 'depositor factory', values: { vault, token } },
  ].flatMap(({ to, abi, name, values }) =>
    Object.entries(values).map(([functionName, value]) => ({ to, abi: abi as Abi, name, functionName, value })),
  )
  const calls = wanted.map(({ to, abi, functionName }) => ({ to, data: encodeFunctionData({ abi, functionName }) }))
  const shown = await node.call(calls, at)
  return wanted.flatMap(({ abi, name, functionName, value }, n) => {
    const found = shownBy(abi, functionName, shown[n]!)
    return textOf(found) === textOf(value) ? [] : [`${functionName} of the ${name} is ${found ?? 'nothing'}, not ${value}`]
  })
}

function shownBy(abi: Abi, functionName: string, data: Hex): unknown {
  try {
    return decodeFunctionResult({ abi, functionName, data })
  } catch {
    return null
  }
}

const textOf = (value: unknown): string => String(value).toLowerCase()
