import { type Deployment, type DeploymentSettings, deploymentOf } from '@augury/contracts/deployment'
import { foundryBinary } from '@augury/contracts/foundry'
import { abi as tokenAbi } from '@augury/contracts/generated/test-usdc'
import { abi as vaultAbi } from '@augury/contracts/generated/vault'
import { startChild } from '@augury/testing/child-process'
import { freePort } from '@augury/testing/free-port'
import { temporaryFolder } from '@augury/testing/temporary-folder'
import { encodeFunctionData, type Hex } from 'viem'
import { test } from 'vitest'
import { rpcNode } from '../src/node.ts'
import type { Node, Signer } from '../src/ports.ts'
import { wallClock } from '../src/wall-clock.ts'

export const CHAIN_ID = 31_337

export interface Anvil {
  url: string
  node: Node
  /** Any method of Anvil. */
  ask(method: string, ...params: unknown[]): Promise<unknown>
  /** Sends a transaction and waits for its block. */
  send(signer: Signer, to: Hex, data: Hex, gas?: number): Promise<void>
  stop(): Promise<unknown>
}

/** Whether there is an Anvil for this platform. */
export const hasAnvil = (): boolean => foundryBinary('anvil') !== null

/** Tests of a real chain; where npm has no Anvil for the platform they say so and look at nothing. */
export const onAnvil = (name: string, work: () => Promise<void>): void =>
  test(name, async ({ annotate }) => {
    if (hasAnvil()) await work()
    else await annotate('npm has no Anvil for this platform')
  })

/** The contracts of a test: a limit of 1 000 USDC, and deposits from 1 USDC. */
export const testDeployment = ({
  demandFee = 0n,
  ...given
}: Pick<DeploymentSettings, 'operator' | 'guardian' | 'token'> & { demandFee?: bigint }): Deployment =>
  deploymentOf({
    ...{ ...given, proposers: [given.guardian], timelockDelay: 60n },
    ...{ limit: 1_000_000_000n, minDeposit: 1_000_000n, demandFee },
  })

/** Calldata of the vault. */
export const onVault = (functionName: string, ...args: unknown[]): Hex => encodeFunctionData({ abi: vaultAbi, functionName, args } as never)
/** Calldata of its token. */
export const onToken = (functionName: string, ...args: unknown[]): Hex => encodeFunctionData({ abi: tokenAbi, functionName, args } as never)

/** Starts an Anvil of its own, with the flags of `npm start`, but with the states of old blocks, which re-organisations need. */
export async function startAnvil(): Promise<Anvil> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const flags = ['--host', '127.0.0.1', '--port', String(port), '--chain-id', String(CHAIN_ID), '--hardfork', 'cancun']
  const more = ['--prune-history', '500', '--slots-in-an-epoch', '1', '--silent']
  const child = startChild(foundryBinary('anvil')!, [...flags, ...more], { env: { HOME: temporaryFolder('anvil') } })
  const ask = async (method: string, ...params: unknown[]): Promise<unknown> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const response = await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    const { result, error } = (await response.json()) as { result: unknown; error?: { message: string } }
    if (error) throw new Error(`${method}: ${error.message}`)
    return result
  }
  while (!(await ask('eth_chainId').catch(() => null)))
    await Promise.race([wallClock.sleep(50), child.ended.then(() => Promise.reject(new Error(child.output())))])
  const node = rpcNode({ url, clock: wallClock, fetch, timeout: 30_000 })
  const send: Anvil['send'] = async (signer, to, data, gas = 500_000) => {
    const head = (await node.block('latest'))!
    const nonce = await node.nonce(signer.address, head)
    await node.send(await signer.sign({ chainId: CHAIN_ID, nonce, to, data, gas, maxFee: 2n * head.baseFee + 10n, tip: 10n }))
    while ((await node.nonce(signer.address, (await node.block('latest'))!)) === nonce) await wallClock.sleep(10)
  }
  return { url, node, ask, send, stop: () => child.stop() }
}
