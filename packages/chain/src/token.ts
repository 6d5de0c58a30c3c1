import { abi } from '@augury/contracts/generated/test-usdc'
import { encodeFunctionData, type Hex } from 'viem'
import type { Caller, Pin } from './ports.ts'

/** What owners have of a token at a block, in its smallest units, in one batch. */
export async function balancesOf(node: Caller, token: Hex, owners: readonly Hex[], pin: Pin): Promise<number[]> {
  const data = (owner: Hex) => encodeFunctionData({ abi, functionName: 'balanceOf', args: [owner] })
  const answers = await node.call(
    owners.map((owner) => ({ to: token, data: data(owner) })),
    pin,
  )
  return answers.map((answer) => Number(BigInt(answer)))
}
